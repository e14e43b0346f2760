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
/** EQL compares in any case with `endsWith~(…)`. */
const ofCalls = Alphabet.of('[\\w~]');
const beforeFlags = Alphabet.of('[ \\t\\n"\'`([{*]');
const [openParenthesis, closeParenthesis, comma, hyphen, openBracket] = [40, 41, 44, 45, 91];
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
  /\b(?:match(?:_phrase)?|starts_?with|ends_?with|(?:string_?|mv_)?contains|index_?of|locate|wildcard|[ir]?like|regexp|coalesce|concat|replace|term|nullif|ifnull)v?~?$/i;
const callAtMost = 20;
/** What gives the value of a field, or what it makes of it. */
const givingCall =
  /\b(?:coalesce|concat|replace|nullif|ifnull|isnull|nvl|substr(?:ing)?|left|right|mid|[lr]?trim|[lr]pad)$/i;
const furtherArguments =
  /(?:[ \t]{0,2},[ \t]{0,2}(?:'[^'\n]{0,40}'|"[^"\n]{0,40}"|-?\d{1,9}|null)){1,3}[ \t]{0,2}\)/iy;

const isCalled = (units: Units, call: RegExp, parenthesis: number): boolean =>
  call.test(units.text.slice(Math.max(0, parenthesis - callAtMost), parenthesis));

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
  behindDefault(end: number, sign: number): number {
    const units = this.#units;
    if (sign === end || sign - end > 3 || !marks.has(units.at(end))) return -1;
    const mayBe = ofMissing.has(units.at(skip(units, blanks, sign + 1, 2)));
    return mayBe ? behind(missing, units, end) : -1;
  }

  /**
   * The next argument, where the name in marks is one of any call, `put("token", "…")`, or one of a call that compares
   * a field; -1 where it is something else.
   */
  nextOf(at: number, end: number, sign: number): number {
    const units = this.#units;
    const next = behindBlanks(units, sign + 1, 4);
    const isText = marks.has(units.at(next));
    const isList = units.at(next) === openBracket && marks.has(units.at(next + 1));
    if (!isText && !isList && !isNumberAt(units, next)) return -1;
    const from = runStart(units, at, end);
    if (from === -1) return -1;
    const isQuoted = marks.has(units.at(from - 1));
    const call = blanksBefore(units, isQuoted ? from - 1 : from) - 1;
    if (units.at(call) !== openParenthesis || !ofCalls.has(units.at(call - 1))) return -1;
    if (isText && isQuoted && marks.has(units.at(end))) return next;
    return isCalled(units, comparingCall, call) ? next : -1;
  }

  /** The same where the name stands in another call: `ENDS_WITH(TO_LOWER(password), "…")`. */
  nextOfOuter(at: number, end: number): number {
    const units = this.#units;
    if (units.at(end) !== closeParenthesis || units.at(end + 1) !== comma) return -1;
    const next = behindBlanks(units, end + 2, 4);
    if (!marks.has(units.at(next)) || units.at(at - 1) !== openParenthesis) return -1;
    let outer = at - 2;
    while (at - outer < callAtMost && ofWords.has(units.at(outer))) outer -= 1;
    return units.at(outer) === openParenthesis && isCalled(units, comparingCall, outer) ? next : -1;
  }

  /** Behind the call that gives the value of a field for further arguments: `SUBSTRING(password, 1, 3) = …`. */
  behindRest(at: number, end: number, sign: number): number {
    const units = this.#units;
    if (sign !== end || units.at(at - 1) !== openParenthesis || !ofWords.has(units.at(at - 2))) return -1;
    const rest = behind(furtherArguments, units, end);
    return rest !== -1 && isCalled(units, givingCall, at - 1) ? rest : -1;
  }

  /** The text that a field is compared with behind a comma, -1 where there is none. */
  comparedWith(sign: number): number {
    const units = this.#units;
    const value = skip(units, blanks, sign + 1, 4);
    return marks.has(units.at(value)) && isComparedByCall(units, sign) ? value : -1;
  }
}

function blanksBefore(units: Units, at: number): number {
  let from = at;
  while (at - from < 2 && blanks.has(units.at(from - 1))) from -= 1;
  return from;
}
