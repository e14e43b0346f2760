import { credentialNameIn } from '../credential-keys.js';
import { looksRandom } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { behindBlanks, blanksFrom } from './blanks.js';
import { isFlag, isPasswordFlag, isUserFlag, takesPasswords } from './command-flags.js';
import { isMark, nextMark } from './quotation-marks.js';
import { doubtfulAtMost, quotedValue } from './quoted-values.js';
import { Alphabet } from './runs.js';
import { isWordUnit } from './words-at.js';

/**
 * Names and values that are neighbours in a list: a flag of a command and its argument, `["mysql","--password","…"]`, and
 * pairs of a list of headers, `[["X-Api-Key","…"]]`, which languages put in other brackets: `[(b'x-api-key', b'…')]`.
 */
export const argumentLists: Rule = {
  name: 'argument-lists',
  find: (view) => (view.plain.includes(',') ? new Pairs(view).all() : []),
};

/** Lists are long and have few secrets: they are read by hand, and what is cheap to tell of an element is told first. */
class Pairs {
  readonly #view: View;
  readonly #units: Units;
  readonly #spans: FoundSpan[] = [];
  #newline = -1;
  #colon = -1;

  constructor(view: View) {
    this.#view = view;
    this.#units = view.units;
  }

  all(): FoundSpan[] {
    const units = this.#units;
    const { length } = units;
    let behind = -1;
    let inCommand = false;
    for (let mark = nextMark(units, 0, length); mark < length;) {
      const close = nextMark(units, mark + 1, length);
      const next = this.#nextOfList(mark, close);
      if (next !== -1) {
        inCommand = takesPasswords(units, mark + 1, close) || (inCommand && mark === behind);
        behind = next;
        this.#look(mark, close, next, inCommand);
      }
      mark = next === -1 ? close : next;
    }
    return this.#spans;
  }

  /** The mark of the element behind the one between two marks; -1 where that is none of a list, or its last. */
  #nextOfList(mark: number, close: number): number {
    const units = this.#units;
    const isElement = close - mark > 1 && close - mark <= elementAtMost + 1;
    if (!isElement || units.at(close) !== units.at(mark)) return -1;
    const sign = behindBlanks(units, close + 1, blanksAtMost);
    if (units.at(sign) !== comma) return -1;
    const item = behindBlanks(units, sign + 1, blanksAtMost);
    const next = prefixes.has(units.at(item)) ? item + 1 : item;
    return isMark(units.at(next)) && !this.#endsLine(mark, close) ? next : -1;
  }

  /** What the name between two marks says of the value whose mark is the next. */
  #look(mark: number, close: number, next: number, inCommand: boolean): void {
    const units = this.#units;
    const from = mark + 1;
    const mayBeFlag = units.at(from) === hyphen;
    const isFirst = beginsList(units, mark);
    if (!mayBeFlag && !isFirst) return;
    const isUser = mayBeFlag && isUserFlag(units, from, close);
    const isCredential = !isUser && credentialNameIn(units, from, close) === 'strong';
    if (!isUser && !isCredential && !(mayBeFlag && inCommand && isPasswordFlag(units, from, close))) return;
    const span = quotedValue(this.#view, next + 1, units.text.charAt(next), doubtfulAtMost);
    if (span === null) return;
    const { start } = span;
    const end = Math.min(span.end, this.#view.stringEnd(start));
    if (isPlaceholder(units, start, end)) return;
    const isArgument = isUser
      ? this.#holdsColon(start, end)
      : mayBeFlag && isFlag(units, from, close) && !(start < end && units.at(start) === hyphen);
    if (isArgument || (isCredential && isFirst && this.#isLast(end) && isPair(units, mark, start, end)))
      this.#spans.push(inSource(this.#view, start, end));
  }

  /** Whether a list ends behind the value that ends at a place, or is cut off there. */
  #isLast(end: number): boolean {
    const units = this.#units;
    const behind = isMark(units.at(end)) ? behindBlanks(units, end + 1, blanksInBracket) : end;
    if (behind >= units.length) return this.#view.cutOff;
    return behind > end && closings.has(units.at(behind));
  }

  #endsLine(from: number, to: number): boolean {
    if (this.#newline < from) this.#newline = nextOf(this.#units, '\n', from);
    return this.#newline < to;
  }

  #holdsColon(from: number, to: number): boolean {
    if (this.#colon < from) this.#colon = nextOf(this.#units, ':', from);
    return this.#colon < to;
  }
}

const elementAtMost = 120;
const blanksAtMost = 20;
const blanksInBracket = 8;
const [dollar, percent, openParenthesis, comma, hyphen, less, openBracket, brace] = [
  36, 37, 40, 44, 45, 60, 91, 123,
];
const openings = Alphabet.of('[[({]');
const closings = Alphabet.of('[\\])}]');
/** What Python puts before texts of bytes and of Unicode. */
const prefixes = Alphabet.of('[bu]');

function nextOf(units: Units, sign: string, from: number): number {
  const at = units.text.indexOf(sign, from);
  return at === -1 ? Infinity : at;
}

const redacted = '[redacted';

function isPlaceholder(units: Units, start: number, end: number): boolean {
  if (start >= end) return false;
  const first = units.at(start);
  if (first === brace) return start + 1 < end && units.at(start + 1) === brace;
  if (first === openBracket) return start + redacted.length <= end && units.text.startsWith(redacted, start);
  return first === dollar || first === percent || first === less;
}

/** Where the bracket stands that an element is the first in, or what else stands before the element. */
const bracketBefore = (units: Units, mark: number): number =>
  blanksFrom(units, prefixes.has(units.at(mark - 1)) ? mark - 1 : mark, blanksInBracket) - 1;

/** Whether an element is the first of a list, and no argument of a call. */
function beginsList(units: Units, mark: number): boolean {
  const bracket = bracketBefore(units, mark);
  const opening = units.at(bracket);
  return openings.has(opening) && (opening !== openParenthesis || !isWordUnit(units.at(bracket - 1)));
}

/** Whether the list that an element is the first of stands in another. */
function beginsInnerList(units: Units, mark: number): boolean {
  const before = blanksFrom(units, bracketBefore(units, mark), blanksInBracket) - 1;
  const sign = units.at(before);
  return sign === openBracket || (sign === comma && closings.has(units.at(before - 1)));
}

/**
 * Whether the last value of a list is the second, behind a name. Of a list that stands in no other both may be names of
 * fields: the value must look drawn.
 */
const isPair = (units: Units, mark: number, start: number, end: number): boolean =>
  beginsInnerList(units, mark) || looksRandom(units.text.slice(start, end), 8);
