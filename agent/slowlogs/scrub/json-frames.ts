import { nowhere } from './field-tables.js';
import { Rows } from './rows.js';
import { isWrapper } from './search-words.js';

/** Names of fields say something of texts so many levels above: `composite`, over its sources. */
const levels = 4;

const [isObject, start, firstLeaf, firstMember, field, owner, key, word, scripts, firstList] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
/** A list of each level has its first stretch of names and its last. */
const frameWidth = firstList + 2 * levels;
const listOf = (level: number): number => firstList + 2 * level;
const [namesStart, namesEnd, next] = [0, 1, 2];

/**
 * The objects and lists that are open where a text is read, the innermost last. Each has the names of fields in what it
 * holds, by how many levels below: lists of stretches of the table of names, which are passed on without being copied.
 */
export class Frames {
  readonly #rows = new Rows(frameWidth);
  readonly #stretches = new Rows(3);

  get length(): number {
    return this.#rows.length;
  }

  open(asObject: boolean, at: number, leaves: number, members: number, above: number): void {
    const rows = this.#rows;
    const fieldAbove = above === nowhere ? nowhere : this.fieldIn(above);
    const ownerAbove = above === nowhere ? nowhere : this.ownerIn(above);
    const frame = rows.add();
    rows.set(frame, isObject, Number(asObject));
    rows.set(frame, start, at);
    rows.set(frame, firstLeaf, leaves);
    rows.set(frame, firstMember, members);
    rows.set(frame, field, fieldAbove);
    rows.set(frame, owner, ownerAbove);
    rows.set(frame, scripts, 0);
    this.setKey(frame, nowhere, 0);
    for (let level = 0; level < levels; level += 1) rows.set(frame, listOf(level), nowhere);
  }

  /** Ends the innermost, whose own names stand in a stretch of their table: the one above has them and those below. */
  close(above: number, from: number, to: number): void {
    const rows = this.#rows;
    const closed = rows.length - 1;
    rows.length = closed;
    if (above === nowhere) return;
    this.holdScripts(above, rows.get(closed, scripts));
    for (let level = 0; level < levels - 1; level += 1) {
      const first = rows.get(closed, listOf(level));
      if (first !== nowhere) this.#append(above, level + 1, first, rows.get(closed, listOf(level) + 1));
    }
    if (from === to) return;
    const own = this.#stretches.add();
    this.#stretches.set(own, namesStart, from);
    this.#stretches.set(own, namesEnd, to);
    this.#stretches.set(own, next, nowhere);
    this.#append(above, 0, own, own);
  }

  #append(frame: number, level: number, first: number, last: number): void {
    const list = listOf(level);
    if (this.#rows.get(frame, list) === nowhere) this.#rows.set(frame, list, first);
    else this.#stretches.set(this.#rows.get(frame, list + 1), next, first);
    this.#rows.set(frame, list + 1, last);
  }

  /** Gives the names below a frame, stretch by stretch. */
  eachBelow(frame: number, give: (from: number, to: number) => void): void {
    for (let level = 0; level < levels; level += 1)
      for (
        let stretch = this.#rows.get(frame, listOf(level));
        stretch !== nowhere;
        stretch = this.#stretches.get(stretch, next)
      )
        give(this.#stretches.get(stretch, namesStart), this.#stretches.get(stretch, namesEnd));
  }

  awaitsKey(frame: number): boolean {
    return this.#rows.get(frame, isObject) === 1 && this.#rows.get(frame, key) === nowhere;
  }

  startOf(frame: number): number {
    return this.#rows.get(frame, start);
  }

  firstLeafOf(frame: number): number {
    return this.#rows.get(frame, firstLeaf);
  }

  firstMemberOf(frame: number): number {
    return this.#rows.get(frame, firstMember);
  }

  /** How many scripts hold each other in it. */
  scriptsIn(frame: number): number {
    return this.#rows.get(frame, scripts);
  }

  holdScripts(frame: number, count: number): void {
    if (count > this.scriptsIn(frame)) this.#rows.set(frame, scripts, count);
  }

  /** The key whose value comes next, and what it is to a search. */
  setKey(frame: number, at: number, says: number): void {
    this.#rows.set(frame, key, at);
    this.#rows.set(frame, word, says);
  }

  /** The key of the value that comes next, or is open: its place among the keys. */
  keyOf(frame: number): number {
    return this.#rows.get(frame, key);
  }

  wordOf(frame: number): number {
    return this.#rows.get(frame, word);
  }

  /** The field of a value that comes next. */
  fieldIn(frame: number): number {
    const own = this.#rows.get(frame, key);
    return own === nowhere || isWrapper(this.wordOf(frame)) ? this.#rows.get(frame, field) : own;
  }

  /** The one that holds this one. */
  ownerIn(frame: number): number {
    const own = this.#rows.get(frame, key);
    return own === nowhere || isWrapper(this.wordOf(frame))
      ? this.#rows.get(frame, owner)
      : this.#rows.get(frame, field);
  }
}
