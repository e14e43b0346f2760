import { nowhere, type Spans } from './field-tables.js';
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
  /** Those of one depth that are listed. */
  readonly #found = new Rows(1);

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

  /** Lists those from one on that are not too far below a depth once more in their table, level by level. */
  listBelow(depth: number, first: number, names: Spans): void {
    const deepest = Math.min(depth + levels, this.#last.length - 1);
    for (let level = depth + 1; level <= deepest; level += 1) this.#listAt(level, first, names);
  }

  /** They are linked from the last to the first. */
  #listAt(depth: number, first: number, names: Spans): void {
    const stretches = this.#stretches;
    const found = this.#found;
    found.length = 0;
    for (let at = this.#last.get(depth, 0); at >= first; at = stretches.get(at, before))
      found.set(found.add(), 0, at);
    for (let place = found.length - 1; place >= 0; place -= 1) {
      const stretch = found.get(place, 0);
      const end = stretches.get(stretch, namesEnd);
      for (let at = stretches.get(stretch, namesStart); at < end; at += 1)
        names.add(names.startOf(at), names.endOf(at));
    }
  }
}
