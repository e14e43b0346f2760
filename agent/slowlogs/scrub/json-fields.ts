import { withoutEscapes } from './escapes.js';
import { backslashesAt, depthOf, endOfString } from './json-strings.js';
import {
  fieldIn,
  frame,
  levelsAtMost,
  ownerIn,
  passOn,
  type Fields,
  type Frame,
  type Held,
  type Leaf,
  type Member,
  type Naming,
} from './json-frames.js';
import { channels, searchWord, type SearchWord } from './search-words.js';
import type { Span } from './span.js';

/** All fields of the JSON that a text is or holds, whole or cut off, escaped or in strings, as deep as that may be. */
export function fieldsOf(source: string): Fields {
  const reader = new Reader(source);
  reader.text(0, source.length);
  return reader;
}

const keyAtMost = 400;
/** Leaves under a `sort` that are looked at. */
const sortedAtMost = 32;
const none: readonly never[] = [];

class Reader implements Fields {
  readonly leaves: Leaf[] = [];
  readonly namings: Naming[] = [];

  constructor(private readonly source: string) {}

  /** JSON may begin anywhere in a text: with a key. */
  text(start: number, end: number): void {
    for (let mark = this.source.indexOf('"', start); mark !== -1 && mark < end;) {
      const depth = depthOf(this.#backslashesBefore(mark, start));
      const after = this.#isKey(mark, depth, end) ? this.#members(mark, depth, end) : mark + 1;
      mark = this.source.indexOf('"', after);
    }
  }

  #backslashesBefore(at: number, start: number): number {
    let from = at;
    while (from > start && this.source.charCodeAt(from - 1) === backslash) from -= 1;
    return at - from;
  }

  #isKey(mark: number, depth: number, end: number): boolean {
    const close = this.#endOfKey(mark, depth, Math.min(end, mark + keyAtMost));
    return close !== -1 && this.source.charCodeAt(this.#behindBlanks(close, end)) === colon;
  }

  /** Behind the mark that closes a short string, -1 where none does. */
  #endOfKey(mark: number, depth: number, until: number): number {
    const { source } = this;
    for (let at = source.indexOf('"', mark + 1); at !== -1 && at < until; at = source.indexOf('"', at + 1)) {
      const found = depthOf(this.#backslashesBefore(at, mark + 1));
      if (found <= depth) return found === depth && at > mark + 1 ? at + 1 : -1;
    }
    return -1;
  }

  /** Blanks may be escaped, where the JSON is. */
  #behindBlanks(from: number, end: number): number {
    const { source } = this;
    for (let at = from; at < end; at += 1) {
      const code = source.charCodeAt(at);
      if (code <= 32) continue;
      if (code !== backslash) return at;
      let letter = at;
      while (source.charCodeAt(letter) === backslash) letter += 1;
      if (letter >= end || !'nrt'.includes(source.charAt(letter))) return at;
      at = letter;
    }
    return end;
  }

  /** Reads from a key on as far as the text is JSON, and gives the place behind. */
  #members(first: number, depth: number, end: number): number {
    const { source } = this;
    const stack: Frame[] = [frame(true, first, this.leaves.length, null, null)];
    const width = backslashesAt(depth) + 1;
    let at = first + 1 - width;
    /** A value stands before, and no comma behind it. */
    let hasValue = false;
    for (let top = stack[0]; top !== undefined; top = stack[stack.length - 1]) {
      at = this.#behindBlanks(at, end);
      if (at >= end) break;
      const unit = source.charCodeAt(at);
      if (unit === comma) {
        hasValue = false;
        at += 1;
      } else if (unit === closeBrace || unit === closeBracket) {
        at += 1;
        this.#close(stack, at, depth);
        hasValue = true;
      } else if (hasValue) break;
      else if (unit === openBrace || unit === openBracket) {
        stack.push(frame(unit === openBrace, at, this.leaves.length, fieldIn(top), ownerIn(top)));
        at += 1;
      } else if (unit === quotationMark || unit === backslash) {
        const mark = at + width - 1;
        if (source.charCodeAt(mark) !== quotationMark || this.#backslashesBefore(mark, at) !== width - 1)
          break;
        const behind = top.isObject && top.key === null ? this.#colonBehind(top, mark, depth, end) : -1;
        hasValue = behind === -1;
        if (hasValue) at = this.#string(top, mark + 1, depth, end) + width;
        else at = behind + 1;
      } else {
        at = this.#literal(top, at, depth, end);
        hasValue = true;
      }
    }
    while (stack.length > 0) this.#close(stack, Math.min(at, end), depth);
    return Math.max(at, first + 1);
  }

  /** The key of an object's next value, where a string is one. */
  #colonBehind(top: Frame, mark: number, depth: number, end: number): number {
    const close = this.#endOfKey(mark, depth, Math.min(end, mark + keyAtMost));
    const behind = close === -1 ? end : this.#behindBlanks(close, end);
    if (behind === end || this.source.charCodeAt(behind) !== colon) return -1;
    const last = close - 1 - backslashesAt(depth);
    top.key = { start: mark + 1, end: last, word: this.#wordAt(mark + 1, last) };
    return behind;
  }

  #wordAt(start: number, end: number): SearchWord | null {
    const key = this.source.slice(start, end);
    return searchWord(key.includes('\\') ? withoutEscapes(key) : key);
  }

  #string(top: Frame, start: number, depth: number, until: number): number {
    const end = Math.min(this.#endOf(start, depth), until);
    const firstLeaf = this.leaves.length;
    this.#leaf(top, { start, end }, true, depth);
    this.#member(top, start - 1 - backslashesAt(depth), end + 1 + backslashesAt(depth), depth, firstLeaf);
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

  #literal(top: Frame, start: number, depth: number, until: number): number {
    let end = start + 1;
    while (end < until && !endsLiteral(this.source.charCodeAt(end))) end += 1;
    const firstLeaf = this.leaves.length;
    this.#leaf(top, { start, end }, false, depth);
    this.#member(top, start, end, depth, firstLeaf);
    return end;
  }

  #leaf(top: Frame, { start, end }: Span, isString: boolean, depth: number): void {
    this.leaves.push({ start, end, isString, depth, field: fieldIn(top), owner: ownerIn(top) });
  }

  /** A value has ended: of what its key says, the object may need to know. */
  #member(holder: Frame, start: number, end: number, depth: number, firstLeaf: number): void {
    const word = holder.key?.word ?? null;
    holder.key = null;
    if (word === null || (word.names | word.holds) === 0) return;
    const lastLeaf = this.leaves.length;
    const member = { start, end: Math.min(end, this.source.length), depth, firstLeaf, lastLeaf, word };
    if (holder.members === null) holder.members = [member];
    else holder.members.push(member);
  }

  #close(stack: Frame[], end: number, depth: number): void {
    const closed = stack.pop();
    if (closed === undefined) return;
    const own = closed.members === null ? [] : this.#relate(closed.members, closed.below);
    const above = stack[stack.length - 1];
    if (above === undefined) return;
    if (own.length > 0) passOn(own, above, 0);
    closed.below?.forEach((names, level) => {
      if (names !== undefined && level + 1 < levelsAtMost) passOn(names, above, level + 1);
    });
    this.#member(above, closed.start, end, depth, closed.firstLeaf);
  }

  /** Puts members that name fields and those that hold values together, and gives the names. */
  #relate(members: readonly Member[], below: Frame['below']): readonly Span[] {
    let [names, holds] = [0, 0];
    for (const { word } of members) {
      names |= word.names;
      holds |= word.holds;
    }
    const naming = (channel: number): readonly Member[] =>
      (names & channel) === 0 ? none : members.filter(({ word }) => (word.names & channel) !== 0);
    const fields = naming(channels.field).flatMap((member) => this.#listed(member));
    if (holds === 0) return fields;
    const relate = (channel: number, namedBy: () => readonly Span[]): void => {
      const named = (holds & channel) === 0 ? none : namedBy();
      if (named.length === 0) return;
      const held = members.filter(({ word }) => (word.holds & channel) !== 0);
      this.namings.push({ names: named, inScript: channel === channels.script, held });
    };
    relate(channels.field, () => fields);
    relate(channels.below, () => below?.flatMap<Span>((names) => names ?? none) ?? none);
    relate(channels.sort, () => naming(channels.sort).flatMap((member) => this.#sorted(member)));
    relate(channels.script, () => naming(channels.script));
    return fields;
  }

  /** A string, or those of a list. */
  #listed({ start, firstLeaf, lastLeaf }: Held): readonly Span[] {
    if (this.source[start] === '{') return [];
    return this.leaves.slice(firstLeaf, lastLeaf).filter(({ isString }) => isString);
  }

  /** Fields to sort by: alone, or above their order. */
  #sorted({ firstLeaf, lastLeaf }: Held): readonly Span[] {
    return this.leaves
      .slice(firstLeaf, Math.min(lastLeaf, firstLeaf + sortedAtMost))
      .flatMap((leaf) => [leaf, leaf.field, leaf.owner])
      .filter((span) => span !== null);
  }
}

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
