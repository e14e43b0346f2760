import type { Units } from '../units.js';
import { nextMark } from './quotation-marks.js';
import type { Alphabet } from './runs.js';

/** Behind so many characters of an alphabet at most, from a place on. */
export function skip(units: Units, alphabet: Alphabet, from: number, atMost: number): number {
  let at = from;
  while (at - from < atMost && alphabet.has(units.at(at))) at += 1;
  return at;
}

/** The next of two signs, or a place that is no farther than the text's end. */
export function endBefore(units: Units, from: number, atMost: number, sign: number, other = sign): number {
  const until = Math.min(atMost, units.length);
  let end = from;
  while (end < until && units.at(end) !== sign && units.at(end) !== other) end += 1;
  return end;
}

/** Where the next quotation mark stands. It is remembered: all names before it ask. */
export class NextMark {
  readonly #units: Units;
  #from = 0;
  #at = -1;

  constructor(units: Units) {
    this.#units = units;
  }

  /** At or behind a place; the end where there is none. */
  from(place: number): number {
    if (place >= this.#from && place <= this.#at) return this.#at;
    this.#from = place;
    this.#at = nextMark(this.#units, place, this.#units.length);
    return this.#at;
  }
}

/** Behind what a sticky expression matches at a place, -1 where it does not. */
export function behind(expression: RegExp, units: Units, at: number): number {
  expression.lastIndex = at;
  return expression.test(units.text) ? expression.lastIndex : -1;
}
