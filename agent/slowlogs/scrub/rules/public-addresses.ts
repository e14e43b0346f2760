import { isDigit, isOfWord } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule } from '../view.js';

const [hyphen, dot, colon, underscore] = [45, 46, 58, 95];
const isName = (code: number): boolean => isOfWord(code) || code === underscore;
/** What neither an address nor a number follows at once. */
const joins = (code: number): boolean => isName(code) || code === dot || code === hyphen;
const digitsOfPort = 5;

/** Four numbers behind this word are no address. */
const version = /version\W{1,6}$/i;
const versionAtMost = 13;

/**
 * IPv4 addresses that lead to somebody: those of private, reserved and documentation networks (RFC 6890) do not. A port
 * goes with its address. Read by hand: a log may hold little else.
 */
export const publicAddresses: Rule = {
  name: 'public-addresses',
  find: (view) => {
    const { plain } = view;
    const found: FoundSpan[] = [];
    let before = NaN;
    for (let at = 0; at < plain.length; at += 1) {
      const code = plain.charCodeAt(at);
      const isFirst = isDigit(code) && !joins(before);
      before = code;
      if (!isFirst) continue;
      const end = endOfAddress(plain, at);
      if (end === nowhere) continue;
      const isOpen = !isReserved() && !isVersion(plain, at);
      const until = isOpen ? Math.min(end, view.stringEnd(at)) : end;
      if (isOpen) found.push(inSource(view, at, until));
      at = Math.max(until, at + 1) - 1;
      before = plain.charCodeAt(at);
    }
    return found;
  },
};

const nowhere = -1;
/** The numbers of the address that was read last. */
const octets = new Uint8Array(4);

function endOfAddress(plain: string, from: number): number {
  let at = from;
  for (let place = 0; place < 4; place += 1) {
    if (place > 0 && plain.charCodeAt(at) !== dot) return nowhere;
    if (place > 0) at += 1;
    const end = endOfDigits(plain, at, 3);
    if (end === at) return nowhere;
    let octet = 0;
    for (let digit = at; digit < end; digit += 1) octet = octet * 10 + plain.charCodeAt(digit) - 48;
    if (octet > 255 || (end - at > 1 && plain.charCodeAt(at) === 48)) return nowhere;
    octets[place] = octet;
    at = end;
  }
  const code = plain.charCodeAt(at);
  if (isName(code) || code === hyphen) return nowhere;
  if (code === dot && isDigit(plain.charCodeAt(at + 1))) return nowhere;
  return code === colon ? endOfPort(plain, at) : at;
}

function endOfDigits(plain: string, from: number, most: number): number {
  let end = from;
  while (end < from + most && isDigit(plain.charCodeAt(end))) end += 1;
  return end;
}

function endOfPort(plain: string, at: number): number {
  const end = endOfDigits(plain, at + 1, digitsOfPort);
  return end === at + 1 || isDigit(plain.charCodeAt(end)) ? at : end;
}

function isReserved(): boolean {
  const first = octets[0] ?? 0;
  const second = octets[1] ?? 0;
  const third = octets[2] ?? 0;
  switch (first) {
    case 0:
    case 10:
    case 127:
      return true;
    case 100:
      return second >= 64 && second <= 127;
    case 169:
      return second === 254;
    case 172:
      return second >= 16 && second <= 31;
    case 192:
      return second === 168 || (second === 0 && (third === 0 || third === 2));
    case 198:
      return second === 18 || second === 19 || (second === 51 && third === 100);
    case 203:
      return second === 0 && third === 113;
    default:
      return first >= 224;
  }
}

function isVersion(plain: string, from: number): boolean {
  let at = from - 1;
  while (at >= 0 && at > from - versionAtMost && !isName(plain.charCodeAt(at))) at -= 1;
  const isWord = (plain.charCodeAt(at) | 32) === smallN;
  return isWord && version.test(plain.slice(Math.max(0, from - versionAtMost), from));
}
const smallN = 110;
