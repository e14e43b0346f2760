/**
 * A text as a reader sees it, with backslash and percent escapes resolved, however deep they are: `\"`, `\\\"` and
 * `%22` all read `"`. Rules look for secrets in it; what they find is replaced in the text as it was.
 */
export interface View {
  readonly source: string;
  readonly plain: string;
  /** Whether it is JSON without its end: its last word may be a part of one. */
  readonly cutOff: boolean;
  /** Where the character at an index of `plain` begins in `source`; its length gives the end. */
  sourceIndex(plainIndex: number): number;
}

/** What stands where a credential stood. */
export const marker = '[redacted]';

/** A stretch of a text: from, up to but without `end`, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FoundSpan extends Span {
  /** What stands in its place; a marker without quotation marks by default. */
  readonly replacement?: string;
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
  const cutOff = /^[\s\\"]*[{[]/.test(source.slice(0, 64)) && !/[}\]]["\s]*$/.test(source.slice(-64));
  if (!source.includes('\\') && !source.includes('%')) {
    return { source, plain: source, cutOff, sourceIndex: (index) => index };
  }
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
  return { source, plain, cutOff, sourceIndex: (index) => starts[index] ?? source.length };
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
