import type { Leaves } from './leaves.js';
import type { Members } from './members.js';
import { Rows } from './rows.js';
import { spanOf, type Span } from './span.js';

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
    return spanOf(this.startOf(at), this.endOf(at));
  }
}

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
    return spanOf(this.#rows.get(at, 0), this.#rows.get(at, 1) >> 1);
  }

  heldOf(at: number): Span {
    return spanOf(this.#rows.get(at, 2), this.#rows.get(at, 3));
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
