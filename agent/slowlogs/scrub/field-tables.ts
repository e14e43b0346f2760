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
  /** Of the third number, the lowest bit says whether it is a string, the next ones how deep, the others count its names. */
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

  /** Counts how many members took it for a name. */
  countName(at: number): number {
    const said = this.#rows.get(at, 2) + (1 << depthBits);
    this.#rows.set(at, 2, said);
    return said >> depthBits;
  }

  at(at: number): Leaf {
    const depth = (this.#rows.get(at, 2) & ((1 << depthBits) - 1)) >> 1;
    return { start: this.startOf(at), end: this.endOf(at), isString: this.isString(at), depth };
  }
}

/** And one that says whether it is a string: a mark of a greater depth would need more backslashes than a text can have. */
const depthBits = 6;

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
    rows.set(at, 2, depth);
    rows.set(at, 3, firstLeaf);
    rows.set(at, 4, lastLeaf);
    rows.set(at, 5, scripts);
    rows.set(at, 6, word);
  }

  /** Adds one of others, whose key says nothing any more. */
  addOf(others: Members, other: number): void {
    const from = others.#rows;
    const rows = this.#rows;
    const at = rows.add();
    for (let column = 0; column < 6; column += 1) rows.set(at, column, from.get(other, column));
    rows.set(at, 6, 0);
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
    return this.#rows.get(at, 3);
  }

  lastLeafOf(at: number): number {
    return this.#rows.get(at, 4);
  }

  scriptsOf(at: number): number {
    return this.#rows.get(at, 5);
  }

  wordOf(at: number): number {
    return this.#rows.get(at, 6);
  }

  at(at: number): Held {
    const rows = this.#rows;
    return {
      start: rows.get(at, 0),
      end: rows.get(at, 1),
      depth: rows.get(at, 2),
      firstLeaf: rows.get(at, 3),
      lastLeaf: rows.get(at, 4),
      scripts: rows.get(at, 5),
    };
  }
}

/** Members of one object that hold values of fields which others name: stretches of two tables, names and held. */
export class Namings {
  readonly #rows = new Rows(5);

  get length(): number {
    return this.#rows.length;
  }

  add(namesFrom: number, namesTo: number, heldFrom: number, heldTo: number, inScript: boolean): void {
    const rows = this.#rows;
    const at = rows.add();
    rows.set(at, 0, namesFrom);
    rows.set(at, 1, namesTo);
    rows.set(at, 2, heldFrom);
    rows.set(at, 3, heldTo);
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
