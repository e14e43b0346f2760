import { backslashesAt } from './json-strings.js';
import type { Units } from './units.js';

const [quotationMark, backslash] = [34, 92];

/**
 * The quotation marks of a text in their order, each with the number of backslashes before it. JSON may begin at any of
 * them: what is read of it goes from one to the next again and again. Behind the last stands the text's end.
 */
export class Marks {
  readonly length: number;
  readonly #places: Int32Array;
  readonly #backslashes: Int32Array;

  constructor(units: Units) {
    this.#places = units.placesOf(quotationMark);
    this.length = this.#places.length - 1;
    this.#backslashes = new Int32Array(this.#places.length);
    if (units.text.includes('\\')) countBackslashes(units, this.#places, this.#backslashes);
  }

  placeOf(mark: number): number {
    return this.#places[mark] ?? 0;
  }

  /** How many backslashes stand before a mark. */
  backslashesOf(mark: number): number {
    return this.#backslashes[mark] ?? 0;
  }

  /** The first of a mark and those behind it that stands at a place or behind it, their number where none does. */
  firstFrom(mark: number, place: number): number {
    let at = mark;
    while (at < this.length && this.placeOf(at) < place) at += 1;
    return at;
  }

  /**
   * The mark that ends the string of some depth which another opens, their number where none does. Each unescaping halves
   * the backslashes before a mark; it ends the string, or one around it, where their number is even by then.
   */
  closing(opening: number, depth: number): number {
    let mark = opening + 1;
    while (mark < this.length && !isClosing(this.backslashesOf(mark), depth)) mark += 1;
    return mark;
  }

  /** Where the text of a string of some depth ends that a mark closes. */
  textEnd(closing: number, depth: number): number {
    return this.placeOf(closing) - Math.min(this.backslashesOf(closing), backslashesAt(depth));
  }
}

function isClosing(backslashes: number, depth: number): boolean {
  let left = backslashes;
  for (let level = 0; level < depth && left % 2 === 1; level += 1) left = (left - 1) >> 1;
  return left % 2 === 0;
}

function countBackslashes(units: Units, places: Int32Array, counts: Int32Array): void {
  for (let mark = 0; mark < places.length - 1; mark += 1) {
    const place = places[mark] ?? 0;
    if (units.at(place - 1) === backslash) counts[mark] = backslashesBefore(units, place);
  }
}

function backslashesBefore(units: Units, place: number): number {
  let first = place - 1;
  while (units.at(first - 1) === backslash) first -= 1;
  return place - first;
}
