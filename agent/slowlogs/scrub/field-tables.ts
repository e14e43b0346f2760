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
  readonly #rows = new Rows(6);

  get length(): number {
    return this.#rows.length;
  }

  add(start: number, end: number, isString: boolean, depth: number, field: number, owner: number): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, start);
    rows.set(at, 1, end);
    rows.set(at, 2, depth * 2 + Number(isString));
    rows.set(at, 3, field);
    rows.set(at, 4, owner);
    rows.set(at, 5, 0);
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

  /** Its key, or the next one above it that is not a word of a search: its place among the keys. */
  fieldOf(at: number): number {
    return this.#rows.get(at, 3);
  }

  /** The field that holds this one: its place among the keys. */
  ownerOf(at: number): number {
    return this.#rows.get(at, 4);
  }

  /** Counts how many members took it for a name. */
  countName(at: number): number {
    const count = this.#rows.get(at, 5) + 1;
    this.#rows.set(at, 5, count);
    return count;
  }

  at(at: number): Leaf {
    const isString = this.isString(at);
    return {
      start: this.startOf(at),
      end: this.endOf(at),
      isString,
      depth: (this.#rows.get(at, 2) - Number(isString)) / 2,
    };
  }
}

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
  readonly #rows = new Rows(7);

  get length(): number {
    return this.#rows.length;
  }

  add({ start, end, depth, firstLeaf, lastLeaf, scripts }: Held, word: number): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, start);
    rows.set(at, 1, end);
    rows.set(at, 2, depth);
    rows.set(at, 3, firstLeaf);
    rows.set(at, 4, lastLeaf);
    rows.set(at, 5, word);
    rows.set(at, 6, scripts);
  }

  truncate(length: number): void {
    this.#rows.length = length;
  }

  startOf(at: number): number {
    return this.#rows.get(at, 0);
  }

  firstLeafOf(at: number): number {
    return this.#rows.get(at, 3);
  }

  lastLeafOf(at: number): number {
    return this.#rows.get(at, 4);
  }

  wordOf(at: number): number {
    return this.#rows.get(at, 5);
  }

  at(at: number): Held {
    const rows = this.#rows;
    return {
      start: rows.get(at, 0),
      end: rows.get(at, 1),
      depth: rows.get(at, 2),
      firstLeaf: rows.get(at, 3),
      lastLeaf: rows.get(at, 4),
      scripts: rows.get(at, 6),
    };
  }
}

/** Members of one object that hold values of fields which others name: stretches of two tables, names and held. */
export class Namings {
  readonly #rows = new Rows(5);

  get length(): number {
    return this.#rows.length;
  }

  add(names: Span, held: Span, inScript: boolean): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, names.start);
    rows.set(at, 1, names.end);
    rows.set(at, 2, held.start);
    rows.set(at, 3, held.end);
    rows.set(at, 4, Number(inScript));
  }

  namesOf(at: number): Span {
    return { start: this.#rows.get(at, 0), end: this.#rows.get(at, 1) };
  }

  heldOf(at: number): Span {
    return { start: this.#rows.get(at, 2), end: this.#rows.get(at, 3) };
  }

  /** The names stand somewhere in a script or another query. */
  inScript(at: number): boolean {
    return this.#rows.get(at, 4) === 1;
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
