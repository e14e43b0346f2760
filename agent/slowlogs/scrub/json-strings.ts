import { marker } from './span.js';

const backslash = 92;

/** How many times a quotation mark with so many backslashes before it was escaped: 0, 1, 3, 7 … */
export const depthOf = (backslashes: number): number => 31 - Math.clz32(backslashes + 1);

/** How many backslashes stand before a quotation mark that was escaped so many times. */
export const backslashesAt = (depth: number): number => (1 << depth) - 1;

/** How many backslashes stand before a mark. */
export function backslashesBefore(source: string, mark: number): number {
  let first = mark;
  while (source.charCodeAt(first - 1) === backslash) first -= 1;
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
