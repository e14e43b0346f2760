import { isIpv4, isIpv6 } from '../checks/ip.js';
import type { PiiSpan, Recognizer } from '../entities.js';

/** Runs of the characters of addresses, not preceded or followed by a word character or a dot. */
const runs = /(?<![\w.:])[0-9a-fA-F:.]{2,}(?![\w:.])/g;
/** IPv4 right after a name and its colon, which are not part of it even if all letters are hexadecimal. */
const named = /:(?<=(?<![\p{L}\p{N}_:])[\p{L}_][\p{L}\p{N}_]{0,31}:)\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)/gu;
const longestAddress = 45;

/**
 * The unspecified address is more often an operator of a language, or the sign of an analogy, unless it has a
 * prefix length or is a value.
 */
const scoreOfUnspecified = 0.1;
const usual = 0.6;

/** An IPv4 or IPv6 address, with its zone and prefix length if there are any. */
export const ipAddress: Recognizer = {
  entity: 'IP_ADDRESS',
  context: {
    supports: ['ip', 'ipv4', 'ipv6', 'address*', 'host*', 'server*', 'unspecified', 'subnet*'],
    opposes: ['version*', 'v', 'section*', 'chapter*', 'release*', 'build*', 'clause*', 'paragraph*'],
    penalty: 0.4,
  },
  mayOccurIn: ({ dots, colons }) => dots >= 3 || colons >= 2,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(runs)) add(found, text, match[0], match.index);
  for (const match of text.matchAll(named)) add(found, text, match[0].slice(1), match.index + 1);
  return found;
}

function add(found: PiiSpan[], text: string, run: string, start: number): void {
  const address = addressIn(run);
  if (address === null || isSlice(text, start, address)) return;
  const end = start + address.length;
  const more = suffix(text, end, address);
  const bare = address === '::' && more === 0 && text[start - 1] !== '=';
  const score = bare ? scoreOfUnspecified : usual;
  found.push({ type: 'IP_ADDRESS', start, end: end + more, score });
}

/** The address in a run, without the punctuation or the port after it. */
function addressIn(run: string): string | null {
  if (run.length > longestAddress + 8) return null;
  const trimmed = run.replace(/\.+$/, '').replace(/(?<=[^:]):$/, '');
  const [host = '', port] = trimmed.split(':');
  if (isIpv4(host) && (port === undefined || trimmed === `${host}:${port}`)) return host;
  return trimmed.length <= longestAddress && trimmed.includes(':') && isIpv6(trimmed) ? trimmed : null;
}

/** `list[::2]`, `1::2`, `a::b`: operators of programming languages that look like addresses. */
function isSlice(text: string, start: number, address: string): boolean {
  if (address === '::' || !address.includes('::')) return false;
  if (/[\w)\]]\[$/.test(text.slice(Math.max(0, start - 2), start))) return true;
  const groups = address.split(/:+/).filter((group) => group !== '');
  const noDigit = !/\d/.test(address);
  return noDigit || (!address.startsWith('::') && groups.every((group) => group.length < 3));
}

/** The length of `%eth0` or `/64` after the address. */
function suffix(text: string, end: number, address: string): number {
  const rest = text.slice(end, end + 24);
  const zone = address.includes(':') ? (/^%\w{1,15}/.exec(rest)?.[0].length ?? 0) : 0;
  const prefix = /^\/(\d{1,3})(?!\w)/.exec(rest.slice(zone));
  const widest = address.includes(':') ? 128 : 32;
  return zone + (prefix !== null && Number(prefix[1]) <= widest ? prefix[0].length : 0);
}
