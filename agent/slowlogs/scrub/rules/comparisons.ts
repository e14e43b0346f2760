import { isDigit, isLetter } from '../letter-trie.js';
import type { Units } from '../units.js';
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
  readonly #units: Units;
  /** The mark that closes what is compared, or where the number begins. */
  at = 0;
  /** Behind the number; where the mark stands if it is none. */
  numberEnd = 0;
  nameStart = 0;
  nameEnd = 0;

  constructor(units: Units) {
    this.#units = units;
  }

  /** Goes on to the next one; false where there is none. */
  next(): boolean {
    const units = this.#units;
    const { length } = units;
    for (let at = this.nameEnd; at < length; at += 1) {
      const code = units.at(at);
      if (code > nine && code !== backtick) continue; // a letter, as most are
      const isNumber = isDigit(code);
      if (!isNumber && !isMark(code)) continue;
      const end = isNumber ? digitsEnd(units, at) : at;
      const operator = isNumber ? behindNumber(units, at, end) : behindMark(units, at);
      const name = operator === -1 ? -1 : nameAt(units, operator);
      if (name !== -1) {
        this.at = at;
        this.numberEnd = end;
        this.nameStart = name;
        this.nameEnd = nameEnd(units, name);
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

function digitsEnd(units: Units, at: number): number {
  let end = at + 1;
  while (isDigit(units.at(end))) end += 1;
  return end;
}

/** Behind the sign that a number is compared with; -1 where none follows, or the number is a part of a word. */
function behindNumber(units: Units, at: number, end: number): number {
  if (end - at < digitsAtLeast || end - at > digitsAtMost) return -1;
  const before = units.at(at - 1);
  if (isLetter(before) || isDigit(before) || before === underscore) return -1;
  const sign = units.at(behindBlanks(units, end, blanksAtMost));
  return isSign(sign) || sign === exclamation ? behindOperator(units, end) : -1;
}

/** What goes on behind a mark where something compares; what is not ASCII may be a blank. */
const goesOn = Alphabet.of('[\\].=!<\\s]');

function behindMark(units: Units, at: number): number {
  const next = units.at(at + 1);
  if (next < 128 && !goesOn.has(next)) return -1;
  const end = next === closingBracket ? at + 2 : at + 1;
  return units.at(end) === dot ? behindCall(units, end) : behindOperator(units, end);
}

const call = /\.(?:equals|equalsIgnoreCase|contains|startsWith|endsWith|matches|compareTo)\(/y;
const firstOfCall = Alphabet.of('[ecsm]');

function behindCall(units: Units, at: number): number {
  if (!firstOfCall.has(units.at(at + 1))) return -1;
  call.lastIndex = at;
  return call.test(units.text) ? call.lastIndex : -1;
}

/** Behind a sign or a word that compares, and the blanks around it. Signs of one character are some only between blanks. */
function behindOperator(units: Units, at: number): number {
  const sign = behindBlanks(units, at, blanksAtMost);
  const code = units.at(sign);
  if (code === exclamation || isSign(code)) return behindSign(units, sign, sign > at);
  return sign > at && isLetter(code) ? behindWord(units, sign) : -1;
}

function behindSign(units: Units, sign: number, isApart: boolean): number {
  const first = units.at(sign);
  const second = units.at(sign + 1);
  let end = sign + 1;
  if (isDouble(first, second)) {
    end = sign + (second === equal && units.at(sign + 2) === equal ? 3 : 2);
    return behindBlanks(units, end, blanksAtMost);
  }
  if (first === exclamation || !isApart) return -1;
  if (first !== equal && second === equal) end += 1;
  const operand = behindBlanks(units, end, blanksAtMost);
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
function behindWord(units: Units, at: number): number {
  const first = caseless(units.at(at));
  const second = caseless(units.at(at + 1));
  if (first === smallA && second === smallS) {
    const operand = behindBlanks(units, at + 2, blanksAtMost);
    return operand > at + 2 ? operand : -1;
  }
  if (first !== smallI || second !== smallN) return -1;
  const end = units.at(at + 2) === tilde ? at + 3 : at + 2;
  const operand = behindBlanks(units, end, blanksAtMost);
  return units.at(operand) === group ? operand : -1;
}

const callsAtMost = 3;
const calledAtMost = 30;
const blanksInCall = 2;
const isOfCall = (code: number): boolean => isLetter(code) || code === underscore || code === dollar;
const ofName = Alphabet.of('[\\w.-]');

/** Where the name of a field begins in an operand, as deep in calls and brackets as there is one; -1 where there is none. */
function nameAt(units: Units, operand: number): number {
  let name = nameBehindMark(units, operand);
  let from = operand;
  for (let depth = 0; depth < callsAtMost; depth += 1) {
    let end = from;
    while (end - from < calledAtMost && isOfCall(units.at(end))) end += 1;
    const opening = units.at(end);
    if (opening !== group && opening !== openingBracket) break;
    from = behindBlanks(units, end + 1, blanksInCall);
    const inner = nameBehindMark(units, from);
    if (inner !== -1) name = inner;
  }
  return name;
}

function nameBehindMark(units: Units, at: number): number {
  const start = isMark(units.at(at)) ? at + 1 : at;
  const first = units.at(start);
  return (isLetter(first) || first === underscore) && ofName.has(units.at(start + 1)) ? start : -1;
}
