import { nowhere, type Spans } from './field-tables.js';
import type { Members } from './members.js';
import { NestedNames } from './nested-names.js';
import { Rows } from './rows.js';
import { isWrapper } from './search-words.js';

const [said, firstNames] = [0, 1];
/** What is said of a frame: whether it is an object, whether it has a row, how many scripts it holds, and which row it reads. */
const [isObject, hasRow, scripts] = [1, 2, 12];
const [scriptsShift, rowShift] = [2, 4];

const [firstMember, field, owner, key, word, valueStart, valueLeaf] = [0, 1, 2, 3, 4, 5, 6];

/**
 * The objects and lists that are open where a text is read, the innermost last: of that one the functions speak that take
 * no frame. A text may be brackets all over, so an object has a row of its own only from its first key on. All others
 * read that of the frame above.
 */
export class Frames {
  readonly #frames = new Rows(2);
  readonly #rows = new Rows(7);
  readonly #names = new NestedNames();

  /** The members are those of the open frames. */
  constructor(private readonly members: Members) {}

  get length(): number {
    return this.#frames.length;
  }

  /** An object that is in none. */
  openOutermost(): void {
    this.#open((nowhere << rowShift) | isObject);
  }

  /** A value, before which a text has so many leaves. */
  open(asObject: boolean, at: number, leaves: number): void {
    const above = this.#innermost();
    if (above & hasRow) {
      this.#rows.set(above >> rowShift, valueStart, at);
      this.#rows.set(above >> rowShift, valueLeaf, leaves);
    }
    this.#open(((above >> rowShift) << rowShift) | (asObject ? isObject : 0));
  }

  #open(says: number): void {
    const frame = this.#frames.add();
    this.#frames.set(frame, said, says);
    this.#frames.set(frame, firstNames, this.#names.length);
  }

  /** Its own names stand in a stretch of their table. The frame above, if it has one, knows of them. */
  close(hasAbove: boolean, from: number, to: number): void {
    const closed = this.length - 1;
    const says = this.#frames.get(closed, said);
    this.#frames.length = closed;
    if (says & hasRow) this.#rows.length = says >> rowShift;
    if (!hasAbove) this.#names.truncate(this.#frames.get(closed, firstNames));
    else {
      if (from !== to) this.#names.add(closed, from, to);
      if (says & scripts) this.holdScripts((says & scripts) >> scriptsShift);
    }
  }

  #innermost(): number {
    return this.#frames.get(this.#frames.length - 1, said);
  }

  /** Lists the names below it once more in their table. */
  listBelow(names: Spans): void {
    const frame = this.length - 1;
    this.#names.listBelow(frame, this.#frames.get(frame, firstNames), names);
  }

  awaitsKey(): boolean {
    const frame = this.#innermost();
    return (frame & isObject) !== 0 && this.#keyIn(frame) === nowhere;
  }

  /** The key whose value comes next, and what it is to a search. */
  setKey(at: number, says: number): void {
    const frame = this.#innermost();
    const row = frame & hasRow ? frame >> rowShift : this.#addRow(frame);
    this.#rows.set(row, key, at);
    this.#rows.set(row, word, says);
  }

  #addRow(frame: number): number {
    const rows = this.#rows;
    const above = frame >> rowShift;
    const row = rows.add();
    rows.set(row, firstMember, this.members.length);
    rows.set(row, field, this.#fieldIn(above));
    rows.set(row, owner, this.#ownerIn(above));
    this.#frames.set(this.length - 1, said, (row << rowShift) | hasRow | (frame & (isObject | scripts)));
    return row;
  }

  /** The value of its key has ended: gives what that was to a search. */
  takeWord(): number {
    const frame = this.#innermost();
    if ((frame & hasRow) === 0) return 0;
    const row = frame >> rowShift;
    const says = this.#rows.get(row, word);
    this.#rows.set(row, key, nowhere);
    this.#rows.set(row, word, 0);
    return says;
  }

  /** Where the object or list began that was the value of its key. */
  valueStart(): number {
    return this.#rows.get(this.#innermost() >> rowShift, valueStart);
  }

  /** The first leaf of that, or what would have been. */
  valueLeaf(): number {
    return this.#rows.get(this.#innermost() >> rowShift, valueLeaf);
  }

  firstMember(): number {
    return this.firstMemberOf(this.length - 1);
  }

  /** How many scripts hold each other in it. */
  scripts(): number {
    return (this.#innermost() & scripts) >> scriptsShift;
  }

  holdScripts(count: number): void {
    const frame = this.#innermost();
    if (count > this.scripts())
      this.#frames.set(this.length - 1, said, (frame & ~scripts) | (count << scriptsShift));
  }

  #keyIn(frame: number): number {
    return frame & hasRow ? this.#rows.get(frame >> rowShift, key) : nowhere;
  }

  /** Whether the key that a row has is itself no field, or there is none. */
  #isThrough(row: number): boolean {
    return this.#rows.get(row, key) === nowhere || isWrapper(this.#rows.get(row, word));
  }

  /** The field of a value that comes next. */
  fieldIn(): number {
    return this.#fieldIn(this.#innermost() >> rowShift);
  }

  /** The one that holds this one. */
  ownerIn(): number {
    return this.#ownerIn(this.#innermost() >> rowShift);
  }

  #fieldIn(row: number): number {
    return row === nowhere ? nowhere : this.#rows.get(row, this.#isThrough(row) ? field : key);
  }

  #ownerIn(row: number): number {
    return row === nowhere ? nowhere : this.#rows.get(row, this.#isThrough(row) ? owner : field);
  }

  /** The key of the value that comes next in an open frame, or is open: its place among the keys. */
  keyOf(at: number): number {
    return this.#keyIn(this.#frames.get(at, said));
  }

  firstMemberOf(at: number): number {
    const frame = this.#frames.get(at, said);
    return frame & hasRow ? this.#rows.get(frame >> rowShift, firstMember) : this.members.length;
  }

  /** Behind its last member: those of the frames in it follow. */
  lastMemberOf(at: number): number {
    const next = (this.#frames.get(at, said) >> rowShift) + 1;
    return next < this.#rows.length ? this.#rows.get(next, firstMember) : this.members.length;
  }
}
