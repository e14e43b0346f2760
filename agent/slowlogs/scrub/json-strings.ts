import { marker } from './span.js';

const backslash = 92;

/** How many times a quotation mark with so many backslashes before it was escaped: 0, 1, 3, 7 … */
export const depthOf = (backslashes: number): number => 31 - Math.clz32(backslashes + 1);

/** How many backslashes stand before a quotation mark that was escaped so many times. */
export const backslashesAt = (depth: number): number => (1 << depth) - 1;

/** How many backslashes stand before a mark; -1 where they begin before a place that the text is read from. */
export function backslashesBefore(source: string, mark: number, from: number): number {
  let first = mark;
  while (source.charCodeAt(first - 1) === backslash) {
    if (first === from) return -1;
    first -= 1;
  }
  return mark - first;
}

/** What stands for a value in JSON, between marks with so many backslashes before them. */
export const quotedMarker = (backslashes: number): string =>
  quotedMarkers[backslashes] ?? betweenMarks(backslashes);

function betweenMarks(backslashes: number): string {
  const mark = `${'\\'.repeat(backslashes)}"`;
  return `${mark}${marker}${mark}`;
}

/** Of the usual ones. */
const quotedMarkers = Array.from({ length: 16 }, (_, backslashes) => betweenMarks(backslashes));

/**
 * The mark that ends the string of some depth whose text begins at a place, without its backslashes, or the end of the
 * text. Each unescaping halves the backslashes before a mark; it ends the string, or one around it, where their number
 * is even by then.
 */
export function endOfString(source: string, from: number, depth: number): number {
  for (let mark = source.indexOf('"', from); mark !== -1; mark = source.indexOf('"', mark + 1)) {
    const all = backslashesBefore(source, mark, from);
    let backslashes = all;
    for (let level = 0; level < depth && backslashes % 2 === 1; level += 1)
      backslashes = (backslashes - 1) / 2;
    if (backslashes % 2 === 0) return mark - Math.min(all, backslashesAt(depth));
  }
  return source.length;
}

/** What a text escaped so many times says, or null where it was not. */
export function unescaped(text: string, depth: number): string | null {
  let read = text;
  try {
    for (let level = 0; level < depth; level += 1) read = JSON.parse(`"${read}"`) as string;
  } catch {
    return null;
  }
  return read;
}
