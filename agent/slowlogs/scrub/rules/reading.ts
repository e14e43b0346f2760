import { codeAt } from '../code-at.js';
import { nextMark } from './quotation-marks.js';
import type { Alphabet } from './runs.js';

/** Behind so many characters of an alphabet at most, from a place on. */
export function skip(plain: string, alphabet: Alphabet, from: number, atMost: number): number {
  let at = from;
  while (at - from < atMost && alphabet.has(codeAt(plain, at))) at += 1;
  return at;
}

/** Where the next quotation mark stands. It is remembered: all names before it ask. */
export class NextMark {
  readonly #plain: string;
  #from = 0;
  #at = -1;

  constructor(plain: string) {
    this.#plain = plain;
  }

  /** At or behind a place; the end where there is none. */
  from(place: number): number {
    if (place >= this.#from && place <= this.#at) return this.#at;
    this.#from = place;
    this.#at = nextMark(this.#plain, place, this.#plain.length);
    return this.#at;
  }
}

/** Behind what a sticky expression matches at a place, -1 where it does not. */
export function behind(expression: RegExp, plain: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(plain) ? expression.lastIndex : -1;
}
