import type { FoundSpan, Span } from './span.js';
import { firstEndingBehind, isCutOff, tokensOf, type Token } from './json-structure.js';

/**
 * A text as a reader sees it, with backslash and percent escapes resolved, however deep they are: `\"`, `\\\"` and
 * `%22` all read `"`. Rules look for secrets in it; what they find is replaced in the text as it was.
 */
export interface View {
  readonly source: string;
  readonly plain: string;
  /** Whether it is JSON without its end: its last word may be a part of one. */
  readonly cutOff: boolean;
  /** Strings and values, where the source is JSON. */
  tokens(): readonly Token[];
  /** Where the character at an index of `plain` begins in `source`; its length gives the end. */
  sourceIndex(plainIndex: number): number;
  /** Where in `plain` the string of JSON ends that holds an index of it, or ends there; the text's end where none does. */
  stringEnd(plainIndex: number): number;
}

/** Looks for one family of secrets. Pure, and linear in the length of the text. Spans are those of the source. */
export interface Rule {
  readonly name: string;
  find(view: View): readonly FoundSpan[];
}

const backslash = 0x5c;
const percent = 0x25;
const resolved: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  b: 8,
  f: 12,
  '"': 34,
  "'": 39,
  '/': 47,
};

export function viewOf(source: string): View {
  if (!source.includes('\\') && !source.includes('%')) return new PlainView(source, source, null);
  const units = new Uint16Array(source.length);
  const starts = new Uint32Array(source.length + 1);
  let length = 0;
  for (let at = 0; at < source.length;) {
    const [unit, width] = unitAt(source, at);
    units[length] = unit;
    starts[length] = at;
    length += 1;
    at += width;
  }
  starts[length] = source.length;
  const plain = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  return new PlainView(source, plain, starts.subarray(0, length + 1));
}

class PlainView implements View {
  readonly cutOff: boolean;
  #tokens: readonly Token[] | null = null;

  constructor(
    readonly source: string,
    readonly plain: string,
    /** Where each character of `plain` begins in `source`; null where both are one. */
    private readonly starts: Uint32Array | null,
  ) {
    this.cutOff = isCutOff(source);
  }

  tokens(): readonly Token[] {
    return (this.#tokens ??= tokensOf(this.source));
  }

  sourceIndex(plainIndex: number): number {
    return this.starts === null ? plainIndex : (this.starts[plainIndex] ?? this.source.length);
  }

  stringEnd(plainIndex: number): number {
    const index = this.sourceIndex(plainIndex);
    const tokens = this.tokens();
    const token = tokens[firstEndingBehind(tokens, index - 1)];
    const isInside = token !== undefined && token.isString && token.start <= index;
    return isInside ? this.#plainIndex(token.end) : this.plain.length;
  }

  /** The last character that begins at or before an index of the source. */
  #plainIndex(sourceIndex: number): number {
    const { starts } = this;
    if (starts === null) return sourceIndex;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? Infinity) <= sourceIndex) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The character at a place, and how much of the source it takes. */
function unitAt(source: string, at: number): readonly [unit: number, width: number] {
  const unit = source.charCodeAt(at);
  if (unit === percent) return percentEscape(source, at);
  if (unit !== backslash) return [unit, 1];
  let end = at + 1;
  while (source.charCodeAt(end) === backslash) end += 1;
  const letter = source[end] ?? '';
  const meant = resolved[letter];
  if (meant !== undefined) return [meant, end + 1 - at];
  const hexadecimal = letter === 'u' ? hexAt(source, end + 1, 4) : null;
  return hexadecimal === null ? [backslash, end - at] : [hexadecimal, end + 5 - at];
}

/** Only what is printable ASCII, a tab or a line break: the rest stays as it is. */
function percentEscape(source: string, at: number): readonly [unit: number, width: number] {
  const code = hexAt(source, at + 1, 2);
  const isText =
    code !== null && ((code >= 0x20 && code < 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d);
  return isText ? [code, 3] : [percent, 1];
}

function hexAt(source: string, at: number, digits: number): number | null {
  const text = source.slice(at, at + digits);
  return text.length === digits && /^[0-9A-Fa-f]+$/.test(text) ? Number.parseInt(text, 16) : null;
}

/** A span of the plain text, as one of the source. */
export function inSource(view: View, start: number, end: number): Span {
  return { start: view.sourceIndex(start), end: view.sourceIndex(end) };
}
