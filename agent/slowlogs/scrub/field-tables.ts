import { Rows } from './rows.js';
import type { Span } from './span.js';

/** No key, no name: places in a table count from 0. */
export const nowhere = -1;

/** Stretches of a text, by their places in the table. */
export class Spans {
  readonly #rows = new Rows(2);

  get length(): number {
    return this.#rows.length;
  }

  add(start: number, end: number): number {
    const at = this.#rows.add();
    this.#rows.set(at, 0, start);
    this.#rows.set(at, 1, end);
    return at;
  }

  startOf(at: number): number {
    return this.#rows.get(at, 0);
  }

  endOf(at: number): number {
    return this.#rows.get(at, 1);
  }

  at(at: number): Span {
    return { start: this.startOf(at), end: this.endOf(at) };
  }
}

/** A string of JSON, without its marks, or another scalar. */
export interface Leaf extends Span {
  readonly isString: boolean;
  /** How many times its quotation marks were escaped. */
  readonly depth: number;
}

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

  at(at: number): Leaf {
    const depth = (this.#rows.get(at, 2) & ((1 << countShift) - 1)) >> 1;
    return { start: this.startOf(at), end: this.endOf(at), isString: this.isString(at), depth };
  }
}

/** A mark of a greater depth than has room below would need more backslashes than a text can have. */
const countShift = 6;
const stepsShift = 8;
const stepsAtMost = (1 << 23) - 1;

/** A leaf is a name for so many of the members that hold it, the innermost: they may hold each other, thousands deep. */
const namedAtMost = 2;

/** A value of a member, with its marks or brackets. */
export interface Held extends Span {
  readonly depth: number;
  /** Its leaves, in the table of all. */
  readonly firstLeaf: number;
  readonly lastLeaf: number;
  /** How many scripts hold each other in it. */
  readonly scripts: number;
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
    return {
      start: this.startOf(at),
      end: this.endOf(at),
      depth: this.#rows.get(at, 4) & ((1 << scriptsShift) - 1),
      firstLeaf: this.firstLeafOf(at),
      lastLeaf: this.lastLeafOf(at),
      scripts: this.scriptsOf(at),
    };
  }
}

const [scriptsShift, wordShift] = [5, 7];

/** Members of one object that hold values of fields which others name: stretches of two tables, names and held. */
export class Namings {
  /** The second number is twice where the names end, and one more where they stand in a script. */
  readonly #rows = new Rows(4);

  get length(): number {
    return this.#rows.length;
  }

  add(namesFrom: number, namesTo: number, heldFrom: number, heldTo: number, inScript: boolean): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, namesFrom);
    rows.set(at, 1, inScript ? 2 * namesTo + 1 : 2 * namesTo);
    rows.set(at, 2, heldFrom);
    rows.set(at, 3, heldTo);
  }

  namesOf(at: number): Span {
    return { start: this.#rows.get(at, 0), end: this.#rows.get(at, 1) >> 1 };
  }

  heldOf(at: number): Span {
    return { start: this.#rows.get(at, 2), end: this.#rows.get(at, 3) };
  }

  /** The names stand somewhere in a script or another query. */
  inScript(at: number): boolean {
    return (this.#rows.get(at, 1) & 1) === 1;
  }
}

export interface Fields {
  readonly keys: Spans;
  readonly leaves: Leaves;
  readonly names: Spans;
  readonly held: Members;
  readonly namings: Namings;
  /** Leaves of objects that were cut off before a member that may have named their field: their places in the table. */
  readonly unnamed: readonly number[];
}
