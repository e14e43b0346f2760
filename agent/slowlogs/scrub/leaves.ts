import { Token } from './json-tokens.js';
import { Rows } from './rows.js';

/** Strings and other scalars in their order, each with the field that it is a value of. */
export class Leaves {
  /**
   * Of the third number, the lowest bit says whether it is a string, the next ones how deep, then how many members took it
   * for a name, and the others how many leaves to go on by from one that is no name any more.
   */
  readonly #rows = new Rows(5);

  get length(): number {
    return this.#rows.length;
  }

  add(start: number, end: number, isString: boolean, depth: number, field: number, owner: number): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, start);
    rows.set(at, 1, end);
    rows.set(at, 2, isString ? 2 * depth + 1 : 2 * depth);
    rows.set(at, 3, field);
    rows.set(at, 4, owner);
  }

  startOf(at: number): number {
    return this.#rows.get(at, 0);
  }

  endOf(at: number): number {
    return this.#rows.get(at, 1);
  }

  isString(at: number): boolean {
    return (this.#rows.get(at, 2) & 1) === 1;
  }

  /** Its key, or the next one above it that is not a word of a search: its place among the keys. */
  fieldOf(at: number): number {
    return this.#rows.get(at, 3);
  }

  /** The field that holds this one: its place among the keys. */
  ownerOf(at: number): number {
    return this.#rows.get(at, 4);
  }

  /** A member took it for a name. */
  countName(at: number): void {
    this.#rows.set(at, 2, this.#rows.get(at, 2) + (1 << countShift));
  }

  /** The first from one on that may be a name still. Those that are none are passed over together the next time. */
  nextNameable(from: number): number {
    let found = from;
    while (found < this.length && this.#isSpent(found)) found += this.#stepsFrom(found);
    for (let at = from; at < found;) {
      const steps = this.#stepsFrom(at);
      const said = this.#rows.get(at, 2) & ((1 << stepsShift) - 1);
      this.#rows.set(at, 2, said | (Math.min(found - at, stepsAtMost) << stepsShift));
      at += steps;
    }
    return found;
  }

  #isSpent(at: number): boolean {
    return ((this.#rows.get(at, 2) >> countShift) & 3) >= namedAtMost;
  }

  #stepsFrom(at: number): number {
    return Math.max(this.#rows.get(at, 2) >> stepsShift, 1);
  }

  at(at: number): Token {
    const depth = (this.#rows.get(at, 2) & ((1 << countShift) - 1)) >> 1;
    return new Token(this.startOf(at), this.endOf(at), this.isString(at), depth);
  }
}

/** A mark of a greater depth than has room below would need more backslashes than a text can have. */
const countShift = 6;
const stepsShift = 8;
const stepsAtMost = (1 << 23) - 1;

/** A leaf is a name for so many of the members that hold it, the innermost: they may hold each other, thousands deep. */
const namedAtMost = 2;
