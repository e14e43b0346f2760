import { credentialName } from '../credential-keys.js';
import { withoutEscapes } from '../escapes.js';
import { backslashesAt, depthOf, endOfString } from '../json-strings.js';
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
    const key = /(?<!\\)(\\*)"((?:[^"\\\n]|\\+(?!["\\])){1,160})(\\*)"(?:\s|\\+[nrt])*:(?:\s|\\+[nrt])*/g;
    for (let match = key.exec(source); match !== null; match = key.exec(source)) {
      const [whole, before = '', name = '', after = ''] = match;
      const from = match.index + before.length + 1;
      if (before.length !== after.length || !isCredential(source, from, name)) {
        // The mark that seemed to close a key may open one.
        key.lastIndex = from + name.length;
        continue;
      }
      const span = valueAt(source, match.index + whole.length, before);
      if (span === null) continue;
      found.push(span);
      key.lastIndex = span.end;
    }
    return found;
  },
};

/** A name may hold escapes of blanks and letters. */
const isCredential = (source: string, from: number, name: string): boolean =>
  name.includes('\\')
    ? credentialName(withoutEscapes(name)) === 'strong'
    : credentialName(source, from, from + name.length) === 'strong';

/** The value that begins at a place, with what replaces it; null is left, as it says nothing. */
export function valueAt(source: string, start: number, escape: string): FoundSpan | null {
  const quote = `${escape}"`;
  if (source.startsWith(quote, start)) {
    const inside = start + quote.length;
    const end = endOfString(source, inside, depthOf(escape.length));
    return end === inside ? null : { start: inside, end };
  }
  if (source.startsWith(marker, start)) return null;
  const first = source[start];
  const end =
    first === '{' || first === '['
      ? endOfStructure(source, start, depthOf(escape.length))
      : endOfLiteral(source, start);
  if (end === start || /^(?:null|undefined)$/.test(source.slice(start, end))) return null;
  return { start, end, replacement: `${quote}${marker}${quote}` };
}

/** Behind the bracket that closes the one at `from`, strings passed over, or the end of the text. */
function endOfStructure(source: string, from: number, depth: number): number {
  const piece = /[{}[\]]|(?<!\\)(\\*)"/g;
  piece.lastIndex = from;
  let open = 0;
  for (let match = piece.exec(source); match !== null; match = piece.exec(source)) {
    const [text, backslashes] = match;
    if (backslashes === undefined) {
      open += text === '{' || text === '[' ? 1 : -1;
      if (open === 0) return match.index + 1;
    } else if (depthOf(backslashes.length) < depth) {
      return match.index; // the string around it ends
    } else {
      const end = endOfString(source, match.index + text.length, depth);
      piece.lastIndex = Math.min(source.length, end + backslashesAt(depth) + 1);
    }
  }
  return source.length;
}

const literalEnd = /[\s,}\]"\\]/g;

function endOfLiteral(source: string, from: number): number {
  literalEnd.lastIndex = from;
  return literalEnd.exec(source)?.index ?? source.length;
}
