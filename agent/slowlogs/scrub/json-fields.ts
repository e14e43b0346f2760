import { withoutEscapes } from './escapes.js';
import { Leaves, Members, Namings, nowhere, Spans, type Fields } from './field-tables.js';
import { Frames } from './json-frames.js';
import { backslashesUpTo, behindBlanks, endOfKey, isKey } from './json-keys.js';
import { Relations } from './json-relations.js';
import { backslashesAt, depthOf, endOfString } from './json-strings.js';
import { channels, holdsIn, holdsNamed, namesIn, searchWord } from './search-words.js';

/** All fields of the JSON that a text is or holds, whole or cut off, escaped or in strings, as deep as that may be. */
export function fieldsOf(source: string): Fields {
  const reader = new Reader(source);
  reader.text(0, source.length);
  return reader;
}

class Reader implements Fields {
  readonly keys = new Spans();
  readonly leaves = new Leaves();
  readonly names = new Spans();
  readonly held = new Members();
  readonly namings = new Namings();
  readonly unnamed: number[] = [];
  readonly #frames = new Frames();
  /** Those of the open frames, each behind those of the frame that holds its own. */
  readonly #members = new Members();
  readonly #relations: Relations;

  constructor(private readonly source: string) {
    this.#relations = new Relations(source, this, this.#frames, this.#members);
  }

  /** JSON may begin anywhere in a text: with a key. */
  text(start: number, end: number): void {
    for (let mark = this.source.indexOf('"', start); mark !== -1 && mark < end;) {
      const depth = depthOf(backslashesUpTo(this.source, mark, start));
      const after = isKey(this.source, mark, depth, end) ? this.#json(mark, depth, end) : mark + 1;
      mark = this.source.indexOf('"', after);
    }
  }

  /** Reads from a key on as far as the text is JSON, and gives the place behind. */
  #json(first: number, depth: number, end: number): number {
    const outermost = this.#frames.length;
    this.#open(true, first, nowhere);
    const width = backslashesAt(depth) + 1;
    const at = this.#readOn(first + 1 - width, outermost, depth, end);
    // A mark may be cut off within its backslashes.
    if (at + width > end && end === this.source.length) this.#listOpen(outermost);
    this.#closeAll(outermost, Math.min(at, end), depth);
    return Math.max(at, first + 1);
  }

  #listOpen(outermost: number): void {
    for (let frame = outermost; frame < this.#frames.length; frame += 1) this.#listUnnamed(frame, outermost);
  }

  #closeAll(outermost: number, end: number, depth: number): void {
    while (this.#frames.length > outermost) this.#close(outermost, end, depth);
  }

  /**
   * As above, up to the first place that is none of JSON. A function of its own, as the loops above are: V8 compiles a long
   * loop while it runs, and what stands behind one would be given up for the interpreter each time.
   */
  #readOn(from: number, outermost: number, depth: number, end: number): number {
    const { source } = this;
    const frames = this.#frames;
    const width = backslashesAt(depth) + 1;
    let at = from;
    /** A value stands before, and no comma behind it. */
    let hasValue = false;
    while (frames.length > outermost) {
      const top = frames.length - 1;
      at = behindBlanks(this.source, at, end);
      if (at >= end) break;
      const unit = source.charCodeAt(at);
      if (unit === comma) {
        hasValue = false;
        at += 1;
      } else if (unit === closeBrace || unit === closeBracket) {
        at += 1;
        this.#close(outermost, at, depth);
        hasValue = true;
      } else if (hasValue) break;
      else if (unit === openBrace || unit === openBracket) {
        this.#open(unit === openBrace, at, top);
        at += 1;
      } else if (unit === quotationMark || unit === backslash) {
        const mark = at + width - 1;
        if (source.charCodeAt(mark) !== quotationMark || backslashesUpTo(this.source, mark, at) !== width - 1)
          break;
        const behind = frames.awaitsKey(top) ? this.#colonBehind(top, mark, depth, end) : -1;
        hasValue = behind === -1;
        if (hasValue) at = this.#string(top, mark + 1, depth, end) + width;
        else at = behind + 1;
      } else {
        at = this.#literal(top, at, depth, end);
        hasValue = true;
      }
    }
    return at;
  }

  #open(isObject: boolean, at: number, above: number): void {
    this.#frames.open(isObject, at, this.leaves.length, this.#members.length, above);
  }

  /** The key of an object's next value, where a string is one. */
  #colonBehind(top: number, mark: number, depth: number, end: number): number {
    const close = endOfKey(this.source, mark, depth, end);
    const behind = close === -1 ? end : behindBlanks(this.source, close, end);
    if (behind === end || this.source.charCodeAt(behind) !== colon) return -1;
    const last = close - 1 - backslashesAt(depth);
    this.#frames.setKey(top, this.keys.add(mark + 1, last), this.#wordAt(mark + 1, last));
    return behind;
  }

  #wordAt(start: number, end: number): number {
    const { source } = this;
    const word = searchWord(source, start, end);
    if (word !== 0) return word;
    for (let at = start; at < end; at += 1)
      if (source.charCodeAt(at) === backslash) {
        const key = withoutEscapes(source.slice(start, end));
        return searchWord(key, 0, key.length);
      }
    return 0;
  }

  #string(top: number, start: number, depth: number, until: number): number {
    const end = Math.min(this.#endOf(start, depth), until);
    const firstLeaf = this.leaves.length;
    this.#leaf(top, start, end, true, depth);
    this.#member(top, start - 1 - backslashesAt(depth), end + 1 + backslashesAt(depth), depth, firstLeaf, 0);
    const mark = this.source.indexOf('"', start);
    if (mark !== -1 && mark < end) this.text(start, end);
    return end;
  }

  /** Most strings hold no backslash. */
  #endOf(start: number, depth: number): number {
    const mark = this.source.indexOf('"', start);
    const isPlain =
      depth === 0 && mark !== -1 && (mark === start || this.source.charCodeAt(mark - 1) !== backslash);
    return isPlain ? mark : endOfString(this.source, start, depth);
  }

  #literal(top: number, start: number, depth: number, until: number): number {
    let end = start + 1;
    while (end < until && !endsLiteral(this.source.charCodeAt(end))) end += 1;
    const firstLeaf = this.leaves.length;
    this.#leaf(top, start, end, false, depth);
    this.#member(top, start, end, depth, firstLeaf, 0);
    return end;
  }

  #leaf(top: number, start: number, end: number, isString: boolean, depth: number): void {
    const frames = this.#frames;
    this.leaves.add(start, end, isString, depth, frames.fieldIn(top), frames.ownerIn(top));
  }

  /** A value has ended: of what its key says, the object may need to know. */
  #member(
    holder: number,
    start: number,
    end: number,
    depth: number,
    firstLeaf: number,
    scripts: number,
  ): void {
    const word = this.#frames.wordOf(holder);
    this.#frames.setKey(holder, nowhere, 0);
    if ((namesIn(word) | holdsIn(word)) === 0) return;
    const lastLeaf = this.leaves.length;
    this.#members.add(
      { start, end: Math.min(end, this.source.length), depth, firstLeaf, lastLeaf, scripts },
      word,
    );
  }

  #close(outermost: number, end: number, depth: number): void {
    const frames = this.#frames;
    const closed = frames.length - 1;
    const start = frames.startOf(closed);
    const firstLeaf = frames.firstLeafOf(closed);
    const firstMember = frames.firstMemberOf(closed);
    const from = this.names.length;
    this.#relations.listFields(firstMember);
    const to = this.names.length;
    this.#relations.relate(closed, firstMember, from, to);
    this.#members.truncate(firstMember);
    const above = closed === outermost ? nowhere : closed - 1;
    const scripts = frames.scriptsIn(closed);
    frames.close(above, from, to);
    if (above !== nowhere) this.#member(above, start, end, depth, firstLeaf, scripts);
  }

  /** Of an object that has lost its end, the texts whose field neither it nor a clause above it names. */
  #listUnnamed(frame: number, outermost: number): void {
    const frames = this.#frames;
    const first = frames.firstMemberOf(frame);
    const last = frame + 1 < frames.length ? frames.firstMemberOf(frame + 1) : this.#members.length;
    if (!this.#someHoldNamed(first, last)) return;
    for (let above = frame - 1; above >= Math.max(outermost, frame - 2); above -= 1) {
      const key = frames.keyOf(above);
      if (key !== nowhere && clause.test(this.source.slice(this.keys.startOf(key), this.keys.endOf(key))))
        return;
    }
    for (let at = first; at < last; at += 1) {
      const names = (namesIn(this.#members.wordOf(at)) & channels.field) !== 0;
      if (names && this.#members.at(at).end < this.source.length) return; // others are cut off themselves
    }
    for (let at = first; at < last; at += 1) {
      const { start, firstLeaf } = this.#members.at(at);
      const isText = !['{', '['].includes(this.source[start] ?? '') && this.leaves.isString(firstLeaf);
      if (isText && holdsNamed(this.#members.wordOf(at))) this.unnamed.push(firstLeaf);
    }
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

const endsLiteral = (code: number): boolean =>
  code <= 32 ||
  code === comma ||
  code === closeBrace ||
  code === closeBracket ||
  code === openBrace ||
  code === openBracket ||
  code === colon ||
  code === quotationMark ||
  code === backslash;
