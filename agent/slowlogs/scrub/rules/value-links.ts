import type { Units } from '../units.js';
import { behindBlanks } from './blanks.js';
import { behind, skip } from './reading.js';
import { openingEnd, quotes } from './quoted-values.js';
import { Alphabet } from './runs.js';

/** Between a value's closing mark and the opening one of the next. */
const joint = String.raw`[ \t\n]{0,8}(?:\+|\|\||\?\?|&|[oO][rR]\b|\.(?=["'\x60$ ]))[ \t\n]{0,8}`;
const anyMark = String.raw`"""|'''|["'\x60]`;
const concatenation = new RegExp(
  String.raw`(?:${anyMark})${joint}(?:[\w.$]{1,60}(?:\(\))?${joint}){0,4}(?:${anyMark})`,
  'y',
);
const choice = new RegExp(String.raw`(?:${anyMark})[ \t\n]{0,8}:[ \t\n]{0,8}(?:${anyMark})`, 'y');
const bound = /["'`]\s{1,8}[aA][nN][dD]\s{1,8}["'`]/y;

const blanksAtMost = 8;
const blanksAndBreaks = Alphabet.of('[ \\t\\n]');

/** What puts another value behind one in quotation marks. */
export class Link {
  readonly #expression: RegExp;
  readonly #signs: Alphabet;
  readonly #alone: Alphabet;
  readonly #twice: Alphabet;

  /** `signs`: with what one begins; `alone` and `twice`: what is one alone or written twice. */
  constructor(
    expression: RegExp,
    { signs, alone, twice }: Readonly<Record<'signs' | 'alone' | 'twice', string>>,
  ) {
    this.#expression = expression;
    this.#signs = Alphabet.of(signs);
    this.#alone = Alphabet.of(alone);
    this.#twice = Alphabet.of(twice);
  }

  /** Where the next value begins, behind its mark, -1 where none does. Most values are the last: they show it by a character. */
  endAt(units: Units, closing: number): number {
    const from = quotes.has(units.at(closing)) ? openingEnd(units, closing) : -1;
    if (from === -1) return -1;
    const sign = behindBlanks(units, from, blanksAtMost);
    if (!this.#signs.has(units.at(sign)))
      return from - closing === 1 ? -1 : behind(this.#expression, units, closing);
    const width = this.#widthAt(units, sign);
    if (width > 0 && skip(units, blanksAndBreaks, from, blanksAtMost) === sign) {
      const next = skip(units, blanksAndBreaks, sign + width, blanksAtMost);
      if (quotes.has(units.at(next))) return openingEnd(units, next);
      if (!this.#goesOn(units, next)) return -1;
    }
    return behind(this.#expression, units, closing);
  }

  /** Of a sign that is read by hand, 0 for another. */
  #widthAt(units: Units, sign: number): number {
    const code = units.at(sign);
    if (this.#alone.has(code)) return 1;
    return this.#twice.has(code) && units.at(sign + 1) === code ? 2 : 0;
  }

  /** Whether a name may stand between two signs: `"a" + b + "c"`. A name may end with the sign `or`. */
  #goesOn(units: Units, from: number): boolean {
    const end = skip(units, ofNamesBetween, from, nameBetweenAtMost);
    if (end === from) return false;
    if ((units.at(end - 1) | 32) === smallR) return true;
    const call = units.at(end) === openParenthesis && units.at(end + 1) === closeParenthesis;
    const next = units.at(skip(units, blanksAndBreaks, call ? end + 2 : end, blanksAtMost));
    return this.#signs.has(next) || quotes.has(next);
  }
}

const ofNamesBetween = Alphabet.of('[\\w.$]');
const nameBetweenAtMost = 60;
const [openParenthesis, closeParenthesis, smallR] = [40, 41, 114];
const nothing = '[^\\x00-\\x7f]';

/** `"a" + b + "c"`. */
export const concatenations = new Link(concatenation, { signs: '[+|?&oO.]', alone: '[+&]', twice: '[|?]' });
/** Behind the first of two values of which one is chosen: `a ? "x" : "y"`. */
export const choices = new Link(choice, { signs: '[:]', alone: '[:]', twice: nothing });
/** `BETWEEN "a" AND "b"`. */
export const bounds = new Link(bound, { signs: '[aA]', alone: nothing, twice: nothing });

const expression =
  /(?:[A-Za-z_$][\w.$:]{0,60}[ \t]?)?\([ \t]{0,4}(?=["'`])|[A-Za-z]{1,2}(?=["'`])|[\w.$]{1,60}(?:[ \t]{1,3}[!=]={1,2}[ \t]{1,3}\w{1,20})?[ \t]{1,3}(?:\|\||\?\?|or|\?[^\n"'`]{0,40}:|\?)[ \t]{1,3}(?=["'`])/y;
const ofNames = Alphabet.of('[\\w.$:]');
const blanks = Alphabet.of('[ \\t]');
const behindNames = Alphabet.of('["\'`( \\t]');
const afterNames = Alphabet.of('[(|?o!=]');
const nameAtMost = 61;
const [exclamation, equal, question, bar] = [33, 61, 63, 124];

/**
 * Where the quotation mark stands of an expression such as `Secret("…")` and `env.TOKEN || "…"`, -1 where there is none.
 */
export function expressionEnd(units: Units, start: number): number {
  const at = skip(units, ofNames, start, nameAtMost);
  if (!behindNames.has(units.at(at))) return -1;
  const next = skip(units, blanks, at, 3);
  if (next === at) return behind(expression, units, start);
  const code = units.at(next);
  const isCompared = code === equal || code === exclamation;
  if (!afterNames.has(code) || (isCompared && units.at(next + 1) !== equal)) return -1;
  const isTwice = (code === bar || code === question) && units.at(next + 1) === code;
  const signEnd = isTwice ? next + 2 : next + 1;
  const mark = skip(units, blanks, signEnd, 3);
  const isRead =
    (isTwice || code === question) && skip(units, ofNamesBetween, start, nameBetweenAtMost) === at;
  if (isRead && mark > signEnd && quotes.has(units.at(mark))) return mark;
  return isRead && isTwice ? -1 : behind(expression, units, start);
}

/** Whether an expression that ends at a place is of a choice: its next value is one of two. Not `??`. */
export function isChoosing(units: Units, end: number): boolean {
  let sign = end - 1;
  while (end - sign < 4 && blanks.has(units.at(sign))) sign -= 1;
  return sign < end - 1 && units.at(sign) === question && units.at(sign - 1) !== question;
}
