import { Rows } from './rows.js';
import type { Span } from './span.js';

/** A string of JSON, without its marks, or another value. */
export class Token implements Span {
  /** `depth` is how many times its quotation marks were escaped. */
  constructor(
    readonly start: number,
    readonly end: number,
    readonly isString: boolean,
    readonly depth: number,
  ) {}
}

/** Strings and other values of JSON in their order: none ends before one ahead of it. */
export class Tokens {
  readonly #rows = new Rows(3);
  /** What was found last: places are asked for one after the other, mostly. */
  #found = 0;

  get length(): number {
    return this.#rows.length;
  }

  add(start: number, end: number, isString: boolean, depth: number): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, start);
    rows.set(at, 1, end);
    rows.set(at, 2, depth * 2 + Number(isString));
  }

  startOf(at: number): number {
    return this.#rows.get(at, 0);
  }

  endOf(at: number): number {
    return this.#rows.get(at, 1);
  }

  isString(at: number): boolean {
    return this.#rows.get(at, 2) % 2 === 1;
  }

  at(at: number): Token {
    return new Token(this.startOf(at), this.endOf(at), this.isString(at), this.#rows.get(at, 2) >> 1);
  }

  /** The place of the first that ends at an index of the source or behind it, their number where none does. */
  firstEndingFrom(index: number): number {
    let found = this.#found;
    if (!this.#isFirstEndingFrom(found, index)) {
      found += 1;
      if (!this.#isFirstEndingFrom(found, index)) found = this.#searched(index);
      this.#found = found;
    }
    return found;
  }

  #isFirstEndingFrom(at: number, index: number): boolean {
    const { length } = this.#rows;
    return (
      at <= length && (at === length || this.endOf(at) >= index) && (at === 0 || this.endOf(at - 1) < index)
    );
  }

  #searched(index: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.endOf(middle) >= index) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
