import { codeAt } from '../code-at.js';
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
    const plain = this.#plain;
    let at = place;
    while (at < plain.length && !isMark(codeAt(plain, at))) at += 1;
    this.#from = place;
    this.#at = at;
    return at;
  }
}

const isMark = (code: number): boolean => code === 34 || code === 39 || code === 96;

/** Behind what a sticky expression matches at a place, -1 where it does not. */
export function behind(expression: RegExp, plain: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(plain) ? expression.lastIndex : -1;
}
