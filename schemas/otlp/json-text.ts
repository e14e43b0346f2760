import { markedNumber } from './exact-number.js';

/**
 * Reads the text of a body. A byte order mark is passed over, what is not valid UTF-8 is replaced, and so is half of a
 * surrogate pair, which no store could keep. Throws SyntaxError for what is no JSON.
 */
export function parseText(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  const raw = bytes.toString('utf8');
  const text = wholeSurrogates(raw.startsWith(byteOrderMark) ? raw.slice(1) : raw);
  return { text, value: JSON.parse(text) };
}

/**
 * Reads the text once more, with every number that JSON.parse may round as a marked one. It costs more than the first
 * reading: so it is only for texts in which such a number was met where an integer belongs.
 */
export function parseWithoutRounding(text: string): unknown {
  const parts: string[] = [];
  let copied = 0;
  stringOrNumber.lastIndex = 0;
  for (let found = stringOrNumber.exec(text); found !== null; found = stringOrNumber.exec(text)) {
    const [token] = found;
    if (token === '"') {
      stringOrNumber.lastIndex = endOfString(text, stringOrNumber.lastIndex);
    } else if (!isExact(token)) {
      parts.push(text.slice(copied, found.index), `"${markedNumber(token)}"`);
      copied = stringOrNumber.lastIndex;
    }
  }
  parts.push(text.slice(copied));
  return JSON.parse(parts.join(''));
}

/** After the quote that ends the string. By hand: an expression would need stack for each escape, which a body has millions of. */
function endOfString(text: string, from: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
}

const byteOrderMark = '\ufeff';
const stringOrNumber = /"|-?\d[\d.eE+-]*/g;
/** A double has 15 decimal digits, whatever they are. */
const isExact = (number: string): boolean => number.length <= 15 && !/[eE]/.test(number);

/** Replaces escapes that are half of a pair. A pair's halves can only stand in a text as two escapes. */
function wholeSurrogates(text: string): string {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return text;
  return text.replace(surrogateEscapes, (escape) =>
    escape.length === 6 && isHalf(escape) ? '\\ufffd' : escape,
  );
}

const surrogateEscapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^])/g;
const isHalf = (escape: string): boolean => /^\\u[dD][89a-fA-F]/.test(escape);
