import { backslashesAt } from './json-strings.js';
import type { Units } from './units.js';

const [quotationMark, backslash] = [34, 92];

/**
 * The quotation marks of a text in their order, each with the number of backslashes before it. JSON may begin at any of
 * them: what is read of it goes from one to the next again and again. Behind the last stands the text's end.
 */
export class Marks {
  #length = 0;
  /** The place of each, and the backslashes before it. */
  #numbers: Int32Array;

  constructor(units: Units) {
    this.#numbers = new Int32Array(2 * (units.length >> 2) + 2);
    let at = this.#list(units, 0);
    if (at < units.length) {
      const longer = new Int32Array(2 * units.length + 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
      at = this.#list(units, at);
    }
    this.#numbers[2 * this.#length] = at;
  }

  /** Lists the marks from a place on, and gives the place that it leaves off at: few texts have more than make a quarter. */
  #list(units: Units, from: number): number {
    const numbers = this.#numbers;
    const until = numbers.length - 2;
    let next = 2 * this.#length;
    let at = from;
    for (; at < units.length; at += 1) {
      if (units.at(at) !== quotationMark) continue;
      if (next === until) break;
      numbers[next] = at;
      if (units.at(at - 1) === backslash) numbers[next + 1] = backslashesBefore(units, at);
      next += 2;
    }
    this.#length = next / 2;
    return at;
  }

  get length(): number {
    return this.#length;
  }

  placeOf(mark: number): number {
    return this.#numbers[2 * mark] ?? 0;
  }

  /** How many backslashes stand before a mark. */
  backslashesOf(mark: number): number {
    return this.#numbers[2 * mark + 1] ?? 0;
  }

  /** The first of a mark and those behind it that stands at a place or behind it, their number where none does. */
  firstFrom(mark: number, place: number): number {
    let at = mark;
    while (at < this.#length && this.placeOf(at) < place) at += 1;
    return at;
  }

  /**
   * The mark that ends the string of some depth which another opens, their number where none does. Each unescaping halves
   * the backslashes before a mark; it ends the string, or one around it, where their number is even by then.
   */
  closing(opening: number, depth: number): number {
    let mark = opening + 1;
    while (mark < this.#length && !isClosing(this.backslashesOf(mark), depth)) mark += 1;
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

function backslashesBefore(units: Units, place: number): number {
  let first = place;
  while (units.at(first - 1) === backslash) first -= 1;
  return place - first;
}
