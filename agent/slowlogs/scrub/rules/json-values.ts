import { credentialName } from '../credential-keys.js';
import { withoutEscapes } from '../escapes.js';
import { backslashesAt, backslashesBefore, depthOf, endOfString, quotedMarker } from '../json-strings.js';
import { marker, type FoundSpan } from '../span.js';
import type { Rule, View } from '../view.js';

/**
 * Values under credential-shaped keys of JSON, at any depth, whole or cut off, and of JSON within a string of JSON, as
 * often as that may be: a key's quotation marks tell how deep it is, and its value ends at the first mark as deep.
 */
export const jsonValues: Rule = {
  name: 'json-values',
  find({ source }: View): readonly FoundSpan[] {
    const found: FoundSpan[] = [];
    let mark = source.indexOf('"');
    let backslashes = backslashesBefore(source, mark, 0);
    while (mark !== -1) {
      const next = source.indexOf('"', mark + 1);
      if (next === -1) break;
      const behind = backslashesBefore(source, next, mark + 1);
      const end = next - behind;
      const start = behind === backslashes && end > mark + 1 ? startOfValue(source, next + 1) : -1;
      if (start !== -1 && isCredential(source, mark + 1, end)) {
        const span = valueAt(source, start, backslashes);
        if (span !== null) found.push(span);
        const from = span?.end ?? start;
        mark = source.indexOf('"', from);
        backslashes = backslashesBefore(source, mark, from);
      } else {
        // The mark that seemed to close a key may open one.
        mark = next;
        backslashes = behind;
      }
    }
    return found;
  },
};

/** Where the value begins of a key that ends at a place, -1 where no colon is behind it. */
function startOfValue(source: string, from: number): number {
  const at = skipBlanks(source, from);
  return source.charCodeAt(at) === colon ? skipBlanks(source, at + 1) : -1;
}

/** Blanks may be escaped, where the JSON is. */
function skipBlanks(source: string, from: number): number {
  for (let at = from; ; at += 1) {
    const code = source.charCodeAt(at);
    if (isBlank(code)) continue;
    if (code !== backslash) return at;
    let letter = at + 1;
    while (source.charCodeAt(letter) === backslash) letter += 1;
    if (!isLetterOfBlank(source.charCodeAt(letter))) return at;
    at = letter;
  }
}

const [quotationMark, comma, colon, backslash, lineBreak] = [34, 44, 58, 92, 10];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/** What `\s` stands for. */
const isBlank = (code: number): boolean =>
  code <= 32
    ? code === 32 || (code >= 9 && code <= 13)
    : code === 0xa0 ||
      code === 0xfeff ||
      (code >= 0x1680 && code <= 0x3000 && /\s/.test(String.fromCharCode(code)));
const isLetterOfBlank = (code: number): boolean => code === 110 || code === 114 || code === 116;

const nameAtMost = 160;

/** A name is of one line, and may hold escapes of blanks and letters: such an escape is one sign, however deep it is. */
function isCredential(source: string, from: number, to: number): boolean {
  let signs = 0;
  let isEscaped = false;
  for (let at = from; at < to; at += 1) {
    const code = source.charCodeAt(at);
    if (code === lineBreak) return false;
    if (code === backslash) {
      isEscaped = true;
      if (source.charCodeAt(at + 1) === backslash) continue;
    }
    signs += 1;
    if (signs > nameAtMost) return false;
  }
  return isEscaped
    ? credentialName(withoutEscapes(source.slice(from, to))) === 'strong'
    : credentialName(source, from, to) === 'strong';
}

/**
 * The value that begins at a place, with what replaces it, under a key whose marks have so many backslashes before them;
 * null is left, as it says nothing.
 */
function valueAt(source: string, start: number, backslashes: number): FoundSpan | null {
  const depth = depthOf(backslashes);
  const first = source.charCodeAt(start);
  if (first === quotationMark || first === backslash) {
    const mark = start + backslashes;
    const isString =
      source.charCodeAt(mark) === quotationMark && backslashesBefore(source, mark, start) === backslashes;
    if (!isString) return null;
    const end = endOfString(source, mark + 1, depth);
    return end === mark + 1 ? null : { start: mark + 1, end };
  }
  if (first === openBracket && source.startsWith(marker, start)) return null;
  const isStructure = first === openBrace || first === openBracket;
  const end = isStructure ? endOfStructure(source, start, depth) : endOfLiteral(source, start);
  if (end === start || saysNothing(source, start, end)) return null;
  return { start, end, replacement: quotedMarker(backslashes) };
}

const saysNothing = (source: string, start: number, end: number): boolean =>
  (end - start === 4 && source.startsWith('null', start)) ||
  (end - start === 9 && source.startsWith('undefined', start));

/** Behind the bracket that closes the one at `from`, strings passed over, or the end of the text. */
function endOfStructure(source: string, from: number, depth: number): number {
  let open = 0;
  let read = from;
  for (let at = from; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === openBrace || code === openBracket) open += 1;
    else if (code === closeBrace || code === closeBracket) {
      open -= 1;
      if (open === 0) return at + 1;
    } else if (code === quotationMark) {
      const backslashes = backslashesBefore(source, at, read);
      if (backslashes === -1) continue;
      if (depthOf(backslashes) < depth) return at - backslashes; // the string around it ends
      read = endOfString(source, at + 1, depth) + backslashesAt(depth) + 1;
      at = read - 1;
    }
  }
  return source.length;
}

function endOfLiteral(source: string, from: number): number {
  let at = from;
  while (at < source.length && !endsLiteral(source.charCodeAt(at))) at += 1;
  return at;
}

const endsLiteral = (code: number): boolean =>
  code === comma ||
  code === closeBrace ||
  code === closeBracket ||
  code === quotationMark ||
  code === backslash ||
  isBlank(code);
