import { Rows } from './rows.js';
import type { Span } from './span.js';

/** A value of a member, with its marks or brackets. */
export class Held implements Span {
  /** Its leaves, from the first up to but without the last, are places in the table of all; `scripts` hold each other in it. */
  constructor(
    readonly start: number,
    readonly end: number,
    readonly depth: number,
    readonly firstLeaf: number,
    readonly lastLeaf: number,
    readonly scripts: number,
  ) {}
}

/** Values of members, each with what its key says (search-words.ts). */
export class Members {
  /** The last number says what the key says, and in its lowest bits how many scripts hold each other in it and how deep it is. */
  readonly #rows = new Rows(5);

  get length(): number {
    return this.#rows.length;
  }

  add(
    start: number,
    end: number,
    depth: number,
    firstLeaf: number,
    lastLeaf: number,
    scripts: number,
    word: number,
  ): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, start);
    rows.set(at, 1, end);
    rows.set(at, 2, firstLeaf);
    rows.set(at, 3, lastLeaf);
    rows.set(at, 4, (word << wordShift) | (scripts << scriptsShift) | depth);
  }

  /** Adds one of others. */
  addOf(others: Members, other: number): void {
    const from = others.#rows;
    const rows = this.#rows;
    const at = rows.add();
    for (let column = 0; column < 5; column += 1) rows.set(at, column, from.get(other, column));
  }

  truncate(length: number): void {
    this.#rows.length = length;
  }

  startOf(at: number): number {
    return this.#rows.get(at, 0);
  }

  endOf(at: number): number {
    return this.#rows.get(at, 1);
  }

  firstLeafOf(at: number): number {
    return this.#rows.get(at, 2);
  }

  lastLeafOf(at: number): number {
    return this.#rows.get(at, 3);
  }

  scriptsOf(at: number): number {
    return (this.#rows.get(at, 4) >> scriptsShift) & 3;
  }

  wordOf(at: number): number {
    return this.#rows.get(at, 4) >> wordShift;
  }

  at(at: number): Held {
    const depth = this.#rows.get(at, 4) & ((1 << scriptsShift) - 1);
    return new Held(
      this.startOf(at),
      this.endOf(at),
      depth,
      this.firstLeafOf(at),
      this.lastLeafOf(at),
      this.scriptsOf(at),
    );
  }
}

const [scriptsShift, wordShift] = [5, 7];
