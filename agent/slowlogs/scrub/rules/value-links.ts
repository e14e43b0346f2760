import { codeAt } from '../code-at.js';
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

  /** `signs`: with what one begins; `alone`: those of which one character may be all of it. */
  constructor(expression: RegExp, signs: string, alone: string) {
    this.#expression = expression;
    this.#signs = Alphabet.of(signs);
    this.#alone = Alphabet.of(alone);
  }

  /** Where the next value begins, behind its mark, -1 where none does. Most values are the last: they show it by a character. */
  endAt(plain: string, closing: number): number {
    const from = quotes.has(codeAt(plain, closing)) ? openingEnd(plain, closing) : -1;
    if (from === -1) return -1;
    const sign = behindBlanks(plain, from, blanksAtMost);
    const code = codeAt(plain, sign);
    if (!this.#signs.has(code)) return from - closing === 1 ? -1 : behind(this.#expression, plain, closing);
    if (this.#alone.has(code) && skip(plain, blanksAndBreaks, from, blanksAtMost) === sign) {
      const next = skip(plain, blanksAndBreaks, sign + 1, blanksAtMost);
      if (quotes.has(codeAt(plain, next))) return openingEnd(plain, next);
    }
    return behind(this.#expression, plain, closing);
  }
}

/** `"a" + b + "c"`. */
export const concatenations = new Link(concatenation, '[+|?&oO.]', '[+&]');
/** Behind the first of two values of which one is chosen: `a ? "x" : "y"`. */
export const choices = new Link(choice, '[:]', '[:]');
/** `BETWEEN "a" AND "b"`. */
export const bounds = new Link(bound, '[aA]', '[^\\s\\S]');

const expression =
  /(?:[A-Za-z_$][\w.$:]{0,60}[ \t]?)?\([ \t]{0,4}(?=["'`])|[A-Za-z]{1,2}(?=["'`])|[\w.$]{1,60}(?:[ \t]{1,3}[!=]={1,2}[ \t]{1,3}\w{1,20})?[ \t]{1,3}(?:\|\||\?\?|or|\?[^\n"'`]{0,40}:|\?)[ \t]{1,3}(?=["'`])/y;
const ofNames = Alphabet.of('[\\w.$:]');
const blanks = Alphabet.of('[ \\t]');
const behindNames = Alphabet.of('["\'`( \\t]');
const afterNames = Alphabet.of('[(|?o!=]');
const nameAtMost = 61;

/**
 * Where the quotation mark stands of an expression such as `Secret("…")` and `env.TOKEN || "…"`, -1 where there is none.
 */
export function expressionEnd(plain: string, start: number): number {
  let at = start;
  while (at - start < nameAtMost && ofNames.has(codeAt(plain, at))) at += 1;
  if (!behindNames.has(codeAt(plain, at))) return -1;
  let next = at;
  while (next - at < 3 && blanks.has(codeAt(plain, next))) next += 1;
  return next > at && !afterNames.has(codeAt(plain, next)) ? -1 : behind(expression, plain, start);
}

/** Whether an expression that ends at a place is of a choice: its next value is one of two. Not `??`. */
export function isChoosing(plain: string, end: number): boolean {
  let sign = end - 1;
  while (end - sign < 4 && blanks.has(codeAt(plain, sign))) sign -= 1;
  return sign < end - 1 && codeAt(plain, sign) === question && codeAt(plain, sign - 1) !== question;
}
const question = 63;
