import { nowhere } from './field-tables.js';
import { Rows } from './rows.js';

/** Names of fields say something of texts so many levels above: `composite`, over its sources. */
const levels = 4;

const [namesStart, namesEnd, depthIn, before] = [0, 1, 2, 3];

/**
 * The names of fields that the objects and lists of a text name themselves, as stretches of their table, in the order in
 * which they end. Those at one depth are linked, so that what names them from above finds them without reading others.
 */
export class NestedNames {
  readonly #stretches = new Rows(4);
  /** The last stretch at each depth. */
  readonly #last = new Rows(1);

  get length(): number {
    return this.#stretches.length;
  }

  add(depth: number, from: number, to: number): void {
    const stretches = this.#stretches;
    while (this.#last.length <= depth) this.#last.set(this.#last.add(), 0, nowhere);
    const stretch = stretches.add();
    stretches.set(stretch, namesStart, from);
    stretches.set(stretch, namesEnd, to);
    stretches.set(stretch, depthIn, depth);
    stretches.set(stretch, before, this.#last.get(depth, 0));
    this.#last.set(depth, 0, stretch);
  }

  /** Forgets those behind the first so many. */
  truncate(length: number): void {
    const stretches = this.#stretches;
    for (let stretch = stretches.length - 1; stretch >= length; stretch -= 1)
      this.#last.set(stretches.get(stretch, depthIn), 0, stretches.get(stretch, before));
    stretches.length = Math.min(stretches.length, length);
  }

  /** Gives those from one on that are not too far below a depth, level by level. */
  eachBelow(depth: number, first: number, give: (from: number, to: number) => void): void {
    const deepest = Math.min(depth + levels, this.#last.length - 1);
    for (let level = depth + 1; level <= deepest; level += 1)
      for (const stretch of this.#at(level, first).reverse())
        give(this.#stretches.get(stretch, namesStart), this.#stretches.get(stretch, namesEnd));
  }

  /** Those from one on that are at a depth, the last first. */
  #at(depth: number, first: number): number[] {
    const found: number[] = [];
    for (let at = this.#last.get(depth, 0); at >= first; at = this.#stretches.get(at, before)) found.push(at);
    return found;
  }
}
