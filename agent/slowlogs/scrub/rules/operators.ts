import { marker } from '../span.js';
import type { Units } from '../units.js';
import { Arguments, isFlag, isNumberAt } from './call-arguments.js';
import { comparedInWords } from './comparing-words.js';
import {
  behindSign,
  callOpened,
  inMarks,
  lineBreakIn,
  markBehind,
  operatorAt,
  plainly,
  shellsHereDocumentAt,
  type Operator,
} from './operator-forms.js';
import { isBlank } from './blanks.js';
import { behind, skip, type NextMark } from './reading.js';
import { mayFollowOnNextLine, onNextLine } from './next-lines.js';
import { behindCast, behindReading } from './readings.js';
import { Alphabet } from './runs.js';
import { behindType, mayBeType } from './value-types.js';

const closing = Alphabet.of('["\'`)*\\]]');
const blanks = Alphabet.of('[ \\t]');
const marks = Alphabet.of('["\'`]');
const signs = Alphabet.of('[:=?!]');
const letters = Alphabet.of('[A-Za-z]');
const startsBehindBlanks = Alphabet.of('[:=?!|,"\'`.<>(aiwvrlnobAIRLNB-]');
/** What may begin an operator right behind a name, with what must follow it. */
const beginnings: (Alphabet | undefined)[] = new Array<undefined>(128).fill(undefined);
for (const [first, second] of Object.entries({
  '(': `["'\`]`, '~': `["'\`]`, '-': '>', '|': '[|]', '<': `[>="'\`\\d \\t]`, ',': `["'\`\\d \\t]`, '.': '[=vkgecsmrtil]',
  // a wildcard that ends the name of a field, in Lucene's syntax
  '\\': '[*]',
  // one of several values of a name in a query string, `password[]=`
  '[': '\\]',
})) beginnings[first.charCodeAt(0)] = Alphabet.of(second); // prettier-ignore
const always = Alphabet.of('[:=?!>"\'`)*\\]]');

const [lineFeed, carriageReturn] = [10, 13];
const [exclamation, doubleQuote, openParenthesis, comma, hyphen, dot] = [33, 34, 40, 44, 45, 46];
const [colon, less, equal, greater, question, backslash, bar, tilde] = [58, 60, 61, 62, 63, 92, 124, 126];
const [space, openBracket, closeBracket, smallV] = [32, 91, 93, 118];
const ofValues = Alphabet.of('[A-Za-z0-9"\'`]');
/** No operator that needs a quotation mark has it farther away. */
const markAtMost = 48;

/** How often the value of a field is taken from what was: `.value`, `.trim()`. */
const readingsAtMost = 4;
const comparing =
  /\.(?:equals|equalsIgnoreCase|contains|startsWith|endsWith|matches|compareTo|compareToIgnoreCase|indexOf|lastIndexOf)\((?=["'`])/y;
const ofComparing = Alphabet.of('[ecsmil]');
const named = /,?[ \t]value[ \t]?=/y;

/** Whether what is compared was replaced already. */
const isReplaced = (units: Units, start: number): boolean => units.text.startsWith(marker, start + 1);

const operatorIf = (start: number): Operator | null => (start === -1 ? null : operatorAt(start, plainly));

/**
 * Finds operators behind names: what stands there is read by its characters, as a grammar says. Expressions are asked
 * only behind what is rare: texts that mean harm hold the beginning of an operator behind every other letter.
 */
export class Operators {
  readonly #units: Units;
  readonly #nextMark: NextMark;
  readonly #arguments: Arguments;

  constructor(units: Units, nextMark: NextMark) {
    this.#units = units;
    this.#nextMark = nextMark;
    this.#arguments = new Arguments(units);
  }

  /** Whether there may be one behind the name between two places. */
  mayFollow(at: number, end: number): boolean {
    const units = this.#units;
    const first = units.at(end);
    if (!blanks.has(first)) {
      if (always.has(first)) return true;
      if (first === lineFeed || first === carriageReturn) return mayFollowOnNextLine(units, end);
      return first < 128 && beginnings[first]?.has(units.at(end + 1)) === true;
    }
    if (units.at(at - 1) === hyphen) return true;
    const next = skip(units, blanks, end, 8);
    const code = units.at(next);
    if (!startsBehindBlanks.has(code)) return false;
    return !letters.has(code) || code === smallV || this.#nextMark.from(next) - next <= markAtMost;
  }

  /** The one behind the name between two places. */
  at(at: number, end: number): Operator | null {
    return this.#plainSignAt(end) ?? this.#anyAt(at, end);
  }

  /** Most are a sign and a value: `name=value`, `name: value`, `"name": "value"`. */
  #plainSignAt(end: number): Operator | null {
    const units = this.#units;
    const isQuoted = units.at(end) === doubleQuote;
    const closed = isQuoted ? end + 1 : end;
    const at = units.at(closed) === space ? closed + 1 : closed;
    const sign = units.at(at);
    if (sign !== equal && sign !== colon) return null;
    const start = units.at(at + 1) === space ? at + 2 : at + 1;
    if (!ofValues.has(units.at(start)) || (sign === colon && mayBeType(units, start))) return null;
    return operatorAt(start, isQuoted && sign === colon ? inMarks : plainly);
  }

  #anyAt(at: number, end: number): Operator | null {
    const units = this.#units;
    const first = units.at(end);
    if (first === lineFeed || first === carriageReturn) return onNextLine(units, end);
    const behindMark = skip(units, blanks, marks.has(first) ? end + 1 : end, 4);
    if (units.at(behindMark) === comma) {
      const afterDefault = this.#arguments.behindDefault(end, behindMark);
      const operator = afterDefault === -1 ? null : this.#read(at, end, afterDefault, readingsAtMost);
      if (operator !== null) return operator;
      const afterCall = this.#arguments.behindRest(at, end, behindMark);
      const compared = afterCall === -1 ? null : this.#way(end, afterCall);
      if (compared !== null && !isReplaced(units, compared.start)) return compared;
      const next = this.#arguments.nextOf(at, end, behindMark);
      if (next !== -1)
        return operatorAt(next, lineBreakIn(units, behindMark, next) === -1 ? plainly : inMarks);
    }
    const nested = this.#arguments.nextOfOuter(at, end);
    if (nested !== -1) return operatorAt(nested, plainly);
    const closed = skip(units, closing, first === backslash ? end + 1 : end, 4);
    const isOfSeveral = units.at(closed) === openBracket && units.at(closed + 1) === closeBracket;
    return this.#read(at, end, isOfSeveral ? closed + 2 : closed, readingsAtMost);
  }

  /** Behind what takes the value of the field, as often as may be. */
  #read(at: number, end: number, from: number, times: number): Operator | null {
    const read = times > 0 ? behindReading(this.#units, from) : -1;
    const operator = read === -1 ? null : this.#read(at, end, read, times - 1);
    if (operator !== null) return operator;
    return this.#way(end, from) ?? this.#behindFlag(at, end, from);
  }

  #way(end: number, from: number): Operator | null {
    const units = this.#units;
    const at = skip(units, blanks, from, 8);
    const wide = at - from;
    const next = units.at(at + 1);
    switch (units.at(at)) {
      case colon:
        return (wide <= 2 ? this.#typedAt(at + 1) : null) ?? this.#signAt(end, from, at);
      case equal:
      case question:
      case exclamation:
        return this.#signAt(end, from, at);
      case dot:
        if (next === equal) return behindSign(units, at + 2);
        return wide === 0 && ofComparing.has(next) ? operatorIf(behind(comparing, units, at)) : null;
      case openParenthesis:
        return wide <= 1 && marks.has(next) ? callOpened(units, end, at) : null;
      case less:
        return next === greater ? behindSign(units, at + 2) : this.#lessAt(at, wide);
      case greater:
        return this.#greaterAt(at, wide);
      case hyphen:
        if (next === greater) return behindSign(units, at + 2);
        return wide > 0 && wide <= 4 ? markBehind(units, at + 1, 4, plainly) : null;
      case bar:
        return next === bar ? behindSign(units, units.at(at + 2) === colon ? at + 3 : at + 2) : null;
      case comma:
        return this.#commaAt(from, at);
      case tilde:
        return wide === 0 && marks.has(next) ? operatorAt(at + 1, plainly) : null;
      default:
        return wide === 0 ? null : this.#wordAt(end, at, wide);
    }
  }

  /** A quotation mark or one of the words that compare, behind blanks. */
  #wordAt(end: number, at: number, wide: number): Operator | null {
    const units = this.#units;
    const code = units.at(at);
    if (marks.has(code)) return operatorAt(at, plainly);
    const cast = behindCast(units, at);
    if (cast !== -1) return this.#way(end, cast);
    if (code !== smallV) return letters.has(code) ? comparedInWords(units, at, wide) : null;
    const value = behind(named, units, at - 1);
    return value === -1 ? null : behindSign(units, value);
  }

  #typedAt(from: number): Operator | null {
    const at = skip(this.#units, blanks, from, 2);
    return operatorIf(behindType(this.#units, at));
  }

  /** One to four signs, `=~`, and what may point on: `>`, `>=`, `<=`. */
  #signAt(end: number, from: number, at: number): Operator | null {
    const units = this.#units;
    if (units.at(at) === equal && units.at(at + 1) === tilde) return behindSign(units, at + 2);
    let behindSigns = skip(units, signs, at, 4);
    const isColon = behindSigns === at + 1 && units.at(at) === colon;
    const pointing = units.at(behindSigns);
    const next = units.at(behindSigns + 1);
    if (pointing === tilde && behindSigns > at + 1) behindSigns += 1;
    else if (pointing === greater) behindSigns += next === equal ? 2 : 1;
    else if (pointing === less && next === equal) behindSigns += 2;
    else if (pointing === less && marks.has(next)) behindSigns += 1;
    else if (isColon && from > end && units.at(from - 1) === doubleQuote)
      return behindSign(units, behindSigns, inMarks);
    return behindSign(units, behindSigns);
  }

  /** `<` and `>`, with a quotation mark or a number. */
  #comparedAt(at: number): Operator | null {
    const units = this.#units;
    const value = skip(units, blanks, units.at(at + 1) === equal ? at + 2 : at + 1, 4);
    return marks.has(units.at(value)) || isNumberAt(units, value) ? operatorAt(value, plainly) : null;
  }

  #lessAt(at: number, wide: number): Operator | null {
    const units = this.#units;
    const operator = wide <= 4 ? this.#comparedAt(at) : null;
    if (operator !== null || wide === 0 || wide > 4 || units.at(at + 1) !== less) return operator;
    return shellsHereDocumentAt(units, at);
  }

  /** Of a comparison, or the bracket that ends a tag, with text behind it. */
  #greaterAt(at: number, wide: number): Operator | null {
    const operator = wide <= 4 ? this.#comparedAt(at) : null;
    if (operator !== null || wide > 0) return operator;
    const next = this.#units.at(at + 1);
    const isText = at + 1 < this.#units.length && next !== less && !isBlank(next);
    return isText ? operatorAt(at + 1, plainly) : null;
  }

  #commaAt(from: number, at: number): Operator | null {
    const units = this.#units;
    if (units.at(at + 2) === smallV) {
      const value = behind(named, units, at);
      if (value !== -1) return behindSign(units, value);
    }
    return from === at ? operatorIf(this.#arguments.comparedWith(at)) : null;
  }

  /** The argument of a flag, `--token …`, whatever it is. */
  #behindFlag(at: number, end: number, from: number): Operator | null {
    const units = this.#units;
    const value = skip(units, blanks, from, 4);
    const code = units.at(value);
    const isValue = value > from && value < units.length && code !== hyphen && code !== comma;
    if (!isValue || from !== end || isBlank(code)) return null;
    return isFlag(units, at, end) ? operatorAt(value, plainly) : null;
  }
}
