import type { Units } from '../units.js';
import { behindBlanks } from './blanks.js';
import { isComparedByCall } from './equals-calls.js';
import { behind, skip } from './reading.js';
import { Alphabet } from './runs.js';

const blanks = Alphabet.of('[ \\t]');
const marks = Alphabet.of('["\'`]');
const digits = Alphabet.of('[0-9]');
const ofNames = Alphabet.of('[\\w.-]');
const ofWords = Alphabet.of('[\\w]');
const beforeFlags = Alphabet.of('[ \\t\\n"\'`([{*]');
const [openParenthesis, hyphen] = [40, 45];
const nameAtMost = 120;

/** Of numbers, a few digits say nothing. */
export const isNumberAt = (units: Units, at: number): boolean => skip(units, digits, at, 4) === at + 4;

/** Where the run of what names are made of begins that holds the beginning of one; -1 where it is too long up to `end`. */
function runStart(units: Units, at: number, end: number, atMost = nameAtMost): number {
  let from = at;
  while (end - from <= atMost && ofNames.has(units.at(from - 1))) from -= 1;
  return end - from <= atMost ? from : -1;
}

/** Whether a name is one of a flag of a command: `-p`, `--token`. */
export function isFlag(units: Units, at: number, end: number): boolean {
  const from = runStart(units, at, end, nameAtMost + 2);
  if (from === -1 || units.at(from) !== hyphen || end - from < 2) return false;
  if (end - from > nameAtMost + 1 && units.at(from + 1) !== hyphen) return false;
  return from === 0 || beforeFlags.has(units.at(from - 1));
}

/** What takes the name of a field and the text that it is compared with. */
const comparingCall =
  /\b(?:match(?:_phrase)?|starts_?with|ends_?with|(?:string_?|mv_)?contains|index_?of|locate|wildcard|[ir]?like|regexp|coalesce|concat|replace|term|nullif|ifnull)v?$/i;
const callAtMost = 20;
/** What a script takes where a document has no such field: `$('token', '') == …`. */
const missing = /["'`][ \t]{0,2},[ \t]{0,2}(?:''|""|null|-?\d{1,9})\)/y;
const ofMissing = Alphabet.of('["\'n0-9-]');
/** What stands behind a name that is an argument of a call, at the comma. */
export class Arguments {
  readonly #units: Units;

  constructor(units: Units) {
    this.#units = units;
  }

  /** Behind the value for where there is none, and the parenthesis; -1 where it is something else. */
  behindDefault(end: number, comma: number): number {
    const units = this.#units;
    if (comma === end || comma - end > 3 || !marks.has(units.at(end))) return -1;
    const mayBe = ofMissing.has(units.at(skip(units, blanks, comma + 1, 2)));
    return mayBe ? behind(missing, units, end) : -1;
  }

  /**
   * The next argument, where the name in marks is one of any call, `put("token", "…")`, or one of a call that compares
   * a field; -1 where it is something else.
   */
  nextOf(at: number, end: number, comma: number): number {
    const units = this.#units;
    const next = behindBlanks(units, comma + 1, 4);
    const isText = marks.has(units.at(next));
    if (!isText && !isNumberAt(units, next)) return -1;
    const from = runStart(units, at, end);
    if (from === -1) return -1;
    const isQuoted = marks.has(units.at(from - 1));
    const call = blanksBefore(units, isQuoted ? from - 1 : from) - 1;
    if (units.at(call) !== openParenthesis || !ofWords.has(units.at(call - 1))) return -1;
    if (isText && isQuoted && marks.has(units.at(end))) return next;
    return comparingCall.test(units.text.slice(Math.max(0, call - callAtMost), call)) ? next : -1;
  }

  /** The text that a field is compared with behind a comma, -1 where there is none. */
  comparedWith(comma: number): number {
    const units = this.#units;
    const value = skip(units, blanks, comma + 1, 4);
    return marks.has(units.at(value)) && isComparedByCall(units, comma) ? value : -1;
  }
}

function blanksBefore(units: Units, at: number): number {
  let from = at;
  while (at - from < 2 && blanks.has(units.at(from - 1))) from -= 1;
  return from;
}
