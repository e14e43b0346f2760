import { isDigit, isLetter } from '../letter-trie.js';
import { behindBlanks } from './blanks.js';
import { nameEnd } from './names.js';
import { isMark } from './quotation-marks.js';
import { Alphabet } from './runs.js';

/**
 * A closing mark, of a list too, or a number, what compares, and a name: in a call, of a document or in the parameters
 * of a script. They are read by hand: most marks are followed by nothing that compares, which an expression takes ten
 * times as long to tell.
 */
export class Comparisons {
  readonly #plain: string;
  /** The mark that closes what is compared, or where the number begins. */
  at = 0;
  /** Behind the number; where the mark stands if it is none. */
  numberEnd = 0;
  nameStart = 0;
  nameEnd = 0;

  constructor(plain: string) {
    this.#plain = plain;
  }

  /** Goes on to the next one; false where there is none. */
  next(): boolean {
    const plain = this.#plain;
    const { length } = plain;
    for (let at = this.nameEnd; at < length; at += 1) {
      const code = plain.charCodeAt(at);
      if (code > nine && code !== backtick) continue; // a letter, as most are
      const isNumber = isDigit(code);
      if (!isNumber && !isMark(code)) continue;
      const end = isNumber ? digitsEnd(plain, at) : at;
      const operator = isNumber ? behindNumber(plain, at, end) : behindMark(plain, at);
      const name = operator === -1 ? -1 : nameAt(plain, operator);
      if (name !== -1) {
        this.at = at;
        this.numberEnd = end;
        this.nameStart = name;
        this.nameEnd = nameEnd(plain, name);
        return true;
      }
      if (isNumber) at = end - 1;
    }
    return false;
  }
}

const [equal, less, greater, exclamation, tilde, dot] = [61, 60, 62, 33, 126, 46];
const [group, openingBracket, closingBracket, dollar, underscore] = [40, 91, 93, 36, 95];
const [nine, backtick] = [57, 96];
const isSign = (code: number): boolean => code >= less && code <= greater;

const digitsAtLeast = 4;
const digitsAtMost = 20;
const blanksAtMost = 4;

function digitsEnd(plain: string, at: number): number {
  let end = at + 1;
  while (isDigit(plain.charCodeAt(end))) end += 1;
  return end;
}

/** Behind the sign that a number is compared with; -1 where none follows, or the number is a part of a word. */
function behindNumber(plain: string, at: number, end: number): number {
  if (end - at < digitsAtLeast || end - at > digitsAtMost) return -1;
  const before = plain.charCodeAt(at - 1);
  if (isLetter(before) || isDigit(before) || before === underscore) return -1;
  const sign = plain.charCodeAt(behindBlanks(plain, end, blanksAtMost));
  return isSign(sign) || sign === exclamation ? behindOperator(plain, end) : -1;
}

/** What goes on behind a mark where something compares; what is not ASCII may be a blank. */
const goesOn = Alphabet.of('[\\].=!<\\s]');

function behindMark(plain: string, at: number): number {
  const next = plain.charCodeAt(at + 1);
  if (next < 128 && !goesOn.has(next)) return -1;
  const end = next === closingBracket ? at + 2 : at + 1;
  return plain.charCodeAt(end) === dot ? behindCall(plain, end) : behindOperator(plain, end);
}

const call = /\.(?:equals|equalsIgnoreCase|contains|startsWith|endsWith|matches|compareTo)\(/y;
const firstOfCall = Alphabet.of('[ecsm]');

function behindCall(plain: string, at: number): number {
  if (!firstOfCall.has(plain.charCodeAt(at + 1))) return -1;
  call.lastIndex = at;
  return call.test(plain) ? call.lastIndex : -1;
}

/** Behind a sign or a word that compares, and the blanks around it. Signs of one character are some only between blanks. */
function behindOperator(plain: string, at: number): number {
  const sign = behindBlanks(plain, at, blanksAtMost);
  const code = plain.charCodeAt(sign);
  if (code === exclamation || isSign(code)) return behindSign(plain, sign, sign > at);
  return sign > at && isLetter(code) ? behindWord(plain, sign) : -1;
}

function behindSign(plain: string, sign: number, isApart: boolean): number {
  const first = plain.charCodeAt(sign);
  const second = plain.charCodeAt(sign + 1);
  let end = sign + 1;
  if (isDouble(first, second)) {
    end = sign + (second === equal && plain.charCodeAt(sign + 2) === equal ? 3 : 2);
    return behindBlanks(plain, end, blanksAtMost);
  }
  if (first === exclamation || !isApart) return -1;
  if (first !== equal && second === equal) end += 1;
  const operand = behindBlanks(plain, end, blanksAtMost);
  return operand > end ? operand : -1;
}

/** `==`, `!=`, `<>`, `=~` */
const isDouble = (first: number, second: number): boolean =>
  (second === equal && (first === equal || first === exclamation)) ||
  (first === less && second === greater) ||
  (first === equal && second === tilde);

const [smallA, smallI, smallN, smallS] = [97, 105, 110, 115];
/** The same for a letter in either case. */
const caseless = (code: number): number => code | 32;

/** `in`, before a parenthesis, and `as`. */
function behindWord(plain: string, at: number): number {
  const first = caseless(plain.charCodeAt(at));
  const second = caseless(plain.charCodeAt(at + 1));
  if (first === smallA && second === smallS) {
    const operand = behindBlanks(plain, at + 2, blanksAtMost);
    return operand > at + 2 ? operand : -1;
  }
  if (first !== smallI || second !== smallN) return -1;
  const end = plain.charCodeAt(at + 2) === tilde ? at + 3 : at + 2;
  const operand = behindBlanks(plain, end, blanksAtMost);
  return plain.charCodeAt(operand) === group ? operand : -1;
}

const callsAtMost = 3;
const calledAtMost = 30;
const blanksInCall = 2;
const isOfCall = (code: number): boolean => isLetter(code) || code === underscore || code === dollar;
const ofName = Alphabet.of('[\\w.-]');

/** Where the name of a field begins in an operand, as deep in calls and brackets as there is one; -1 where there is none. */
function nameAt(plain: string, operand: number): number {
  let name = nameBehindMark(plain, operand);
  let from = operand;
  for (let depth = 0; depth < callsAtMost; depth += 1) {
    let end = from;
    while (end - from < calledAtMost && isOfCall(plain.charCodeAt(end))) end += 1;
    const opening = plain.charCodeAt(end);
    if (opening !== group && opening !== openingBracket) break;
    from = behindBlanks(plain, end + 1, blanksInCall);
    const inner = nameBehindMark(plain, from);
    if (inner !== -1) name = inner;
  }
  return name;
}

function nameBehindMark(plain: string, at: number): number {
  const start = isMark(plain.charCodeAt(at)) ? at + 1 : at;
  return isLetter(plain.charCodeAt(start)) && ofName.has(plain.charCodeAt(start + 1)) ? start : -1;
}
