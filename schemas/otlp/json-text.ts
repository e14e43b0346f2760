import { markedNumber } from './exact-number.js';

/**
 * Parses the text of a body. Skips a byte order mark, and replaces invalid UTF-8 and unpaired halves of surrogate
 * pairs, which no store could keep. Throws SyntaxError if it is not JSON.
 */
export function parseText(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  const raw = bytes.toString('utf8');
  const text = wholeSurrogates(raw.startsWith(byteOrderMark) ? raw.slice(1) : raw);
  return { text, value: JSON.parse(text) };
}

/**
 * Parses the text again, and marks every number that JSON.parse might round. This costs more than the first
 * parsing, so it is only for texts with such a number in place of an integer.
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

/**
 * The index after the quote that ends the string. Scanned by hand: a regular expression would need stack
 * space for each escape, and a body can have millions.
 */
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
/** A double represents any 15 decimal digits. */
const isExact = (number: string): boolean => number.length <= 15 && !/[eE]/.test(number);

/** Replaces escapes that are unpaired halves. In this text, halves can only exist as escapes. */
function wholeSurrogates(text: string): string {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return text;
  return text.replace(surrogateEscapes, (escape) =>
    escape.length === 6 && isHalf(escape) ? '\\ufffd' : escape,
  );
}

const surrogateEscapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^])/g;
const isHalf = (escape: string): boolean => /^\\u[dD][89a-fA-F]/.test(escape);
