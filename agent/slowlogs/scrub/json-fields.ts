import { EscapedUnits } from './escaped-units.js';
import { Namings, nowhere, Spans, type Fields } from './field-tables.js';
import { Leaves } from './leaves.js';
import { Members } from './members.js';
import { Frames } from './json-frames.js';
import { behindBlanks, colonBehind, endOfKey } from './json-keys.js';
import type { Marks } from './json-marks.js';
import { Relations } from './json-relations.js';
import { backslashesAt, depthOf } from './json-strings.js';
import { channels, escapedWord, holdsIn, holdsNamed, namesIn, searchWord } from './search-words.js';
import type { Units } from './units.js';

/** All fields of the JSON that a text is or holds, whole or cut off, escaped or in strings, as deep as that may be. */
export function fieldsOf(units: Units, marks: Marks): Fields {
  const reader = new Reader(units, marks);
  reader.text(0, units.length);
  return reader;
}

class Reader implements Fields {
  readonly keys = new Spans();
  readonly leaves = new Leaves();
  readonly names = new Spans();
  readonly held = new Members();
  readonly namings = new Namings();
  readonly unnamed: number[] = [];
  /** Those of the open frames, each behind those of the frame that holds its own. */
  readonly #members = new Members();
  readonly #frames = new Frames(this.#members);
  readonly #relations: Relations;
  readonly #hasEscapes: boolean;
  readonly #escaped: EscapedUnits;
  /** The first mark that what was read last leaves unread. */
  #unread = 0;

  constructor(
    private readonly units: Units,
    private readonly marks: Marks,
  ) {
    this.#escaped = new EscapedUnits(units);
    this.#hasEscapes = units.text.includes('\\');
    this.#relations = new Relations(units, this, this.#frames, this.#members);
  }

  /** JSON may begin anywhere in a text: with a key, from a mark on. */
  text(first: number, end: number): void {
    const { marks, units } = this;
    for (let mark = first; marks.placeOf(mark) < end;) {
      const depth = depthOf(marks.backslashesOf(mark));
      const close = endOfKey(marks, mark, depth, end);
      const colonAt = close === -1 ? -1 : colonBehind(units, marks.placeOf(close), end);
      mark = colonAt === -1 ? mark + 1 : this.#json(mark, close, colonAt, depth, end);
    }
  }

  /** Reads from a key on as far as the text is JSON, and gives the mark behind. */
  #json(first: number, close: number, colonAt: number, depth: number, end: number): number {
    const outermost = this.#frames.length;
    this.#frames.openOutermost();
    this.#takeKey(first, close, depth);
    const at = this.#readOn(colonAt + 1, close + 1, outermost, depth, end);
    const behind = this.marks.firstFrom(this.#unread, at);
    // A mark may be cut off within its backslashes.
    if (at + backslashesAt(depth) >= end && end === this.units.length) this.#listOpen(outermost);
    this.#closeAll(outermost, Math.min(at, end), depth);
    return behind;
  }

  #listOpen(outermost: number): void {
    if (this.#members.length === this.#frames.firstMemberOf(outermost)) return;
    for (let frame = outermost; frame < this.#frames.length; frame += 1) this.#listUnnamed(frame, outermost);
  }

  #closeAll(outermost: number, end: number, depth: number): void {
    while (this.#frames.length > outermost) this.#close(outermost, end, depth);
  }

  /**
   * As above, up to the first place that is none of JSON. A function of its own, as the loops above are: V8 compiles a long
   * loop while it runs, and what stands behind one would be given up for the interpreter each time.
   */
  #readOn(from: number, firstMark: number, outermost: number, depth: number, end: number): number {
    const { units, marks } = this;
    const frames = this.#frames;
    const backslashes = backslashesAt(depth);
    let at = from;
    let mark = firstMark;
    /** A value stands before, and no comma behind it. */
    let hasValue = false;
    while (frames.length > outermost) {
      at = behindBlanks(units, at, end);
      if (at >= end) break;
      const unit = units.at(at);
      if (unit === comma) {
        hasValue = false;
        at += 1;
      } else if (unit === closeBrace || unit === closeBracket) {
        at += 1;
        this.#close(outermost, at, depth);
        hasValue = true;
      } else if (hasValue) break;
      else if (unit === openBrace || unit === openBracket) {
        frames.open(unit === openBrace, at, this.leaves.length);
        at += 1;
      } else if (unit === quotationMark || unit === backslash) {
        const opening = marks.firstFrom(mark, at + backslashes);
        if (marks.placeOf(opening) !== at + backslashes || marks.backslashesOf(opening) < backslashes) break;
        const close = frames.awaitsKey() ? endOfKey(marks, opening, depth, end) : -1;
        const colonAt = close === -1 ? -1 : colonBehind(units, marks.placeOf(close), end);
        hasValue = colonAt === -1;
        if (hasValue) {
          mark = this.#string(opening, depth, end);
          at = Math.min(marks.textEnd(mark, depth), end) + backslashes + 1;
        } else {
          this.#takeKey(opening, close, depth);
          mark = close + 1;
          at = colonAt + 1;
        }
      } else {
        at = this.#literal(at, depth, end);
        hasValue = true;
      }
    }
    this.#unread = mark;
    return at;
  }

  /** The key of an object's next value. */
  #takeKey(opening: number, closing: number, depth: number): void {
    const start = this.marks.placeOf(opening) + 1;
    const end = this.marks.placeOf(closing) - backslashesAt(depth);
    let word = searchWord(this.units, start, end);
    if (word === 0 && this.#hasEscapes) word = escapedWord(this.#escaped, start, end);
    this.#frames.setKey(this.keys.add(start, end), word);
  }

  /** Gives the mark that closes it. */
  #string(opening: number, depth: number, until: number): number {
    const closing = this.marks.closing(opening, depth);
    const start = this.marks.placeOf(opening) + 1;
    const end = Math.min(this.marks.textEnd(closing, depth), until);
    const firstLeaf = this.leaves.length;
    this.#leaf(start, end, true, depth);
    this.#member(
      this.#frames.takeWord(),
      start - 1 - backslashesAt(depth),
      end + 1 + backslashesAt(depth),
      depth,
      firstLeaf,
      0,
    );
    if (closing > opening + 1) this.text(opening + 1, end);
    return closing;
  }

  #literal(start: number, depth: number, until: number): number {
    const { units } = this;
    let end = start + 1;
    while (end < until && !endsLiteral(units.at(end))) end += 1;
    const firstLeaf = this.leaves.length;
    this.#leaf(start, end, false, depth);
    this.#member(this.#frames.takeWord(), start, end, depth, firstLeaf, 0);
    return end;
  }

  #leaf(start: number, end: number, isString: boolean, depth: number): void {
    const frames = this.#frames;
    this.leaves.add(start, end, isString, depth, frames.fieldIn(), frames.ownerIn());
  }

  /** A value has ended: of what its key says, the object may need to know. */
  #member(word: number, start: number, end: number, depth: number, firstLeaf: number, scripts: number): void {
    if ((namesIn(word) | holdsIn(word)) === 0) return;
    const last = Math.min(end, this.units.length);
    this.#members.add(start, last, depth, firstLeaf, this.leaves.length, scripts, word);
  }

  #close(outermost: number, end: number, depth: number): void {
    const frames = this.#frames;
    const members = this.#members;
    const firstMember = frames.firstMember();
    const from = this.names.length;
    let to = from;
    if (members.length > firstMember) {
      to = this.#relations.relate(firstMember);
      members.truncate(firstMember);
    }
    const scripts = frames.scripts();
    const hasAbove = frames.length - 1 > outermost;
    frames.close(hasAbove, from, to);
    const word = hasAbove ? frames.takeWord() : 0;
    if (word !== 0) this.#member(word, frames.valueStart(), end, depth, frames.valueLeaf(), scripts);
  }

  /** Of an object that has lost its end, the texts whose field neither it nor a clause above it names. */
  #listUnnamed(frame: number, outermost: number): void {
    const first = this.#frames.firstMemberOf(frame);
    const last = this.#frames.lastMemberOf(frame);
    if (!this.#someHoldNamed(first, last)) return;
    for (let above = frame - 1; above >= Math.max(outermost, frame - 2); above -= 1) {
      const key = this.#frames.keyOf(above);
      if (key !== nowhere && clause.test(this.units.text.slice(this.keys.startOf(key), this.keys.endOf(key))))
        return;
    }
    for (let at = first; at < last; at += 1) {
      const names = (namesIn(this.#members.wordOf(at)) & channels.field) !== 0;
      if (names && this.#members.endOf(at) < this.units.length) return; // others are cut off themselves
    }
    for (let at = first; at < last; at += 1)
      if (holdsNamed(this.#members.wordOf(at)) && this.#isText(at))
        this.unnamed.push(this.#members.firstLeafOf(at));
  }

  #isText(member: number): boolean {
    const first = this.units.at(this.#members.startOf(member));
    return (
      first !== openBrace && first !== openBracket && this.leaves.isString(this.#members.firstLeafOf(member))
    );
  }

  #someHoldNamed(first: number, last: number): boolean {
    for (let at = first; at < last; at += 1) if (holdsNamed(this.#members.wordOf(at))) return true;
    return false;
  }
}

/** Clauses of a search that name their field in a key. */
const clause =
  /^(?:term|match|match_phrase|match_phrase_prefix|match_bool_prefix|prefix|wildcard|regexp|fuzzy|span_term|intervals|range)$/;

const [quotationMark, comma, colon, backslash] = [34, 44, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

const signs = [comma, closeBrace, closeBracket, openBrace, openBracket, colon, quotationMark, backslash];
const ending = Uint8Array.from({ length: 128 }, (_, unit) => Number(unit <= 32 || signs.includes(unit)));
const endsLiteral = (unit: number): boolean => unit < 128 && ending[unit] === 1;
