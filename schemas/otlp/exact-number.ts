/**
 * Marks a number that JSON.parse would round: it becomes a text of its digits after the second half of a
 * surrogate pair. No text of a body starts with such a half: unpaired halves are replaced before parsing.
 */
const mark = 0xdc00;

export const markedNumber = (digits: string): string => String.fromCharCode(mark) + digits;

export const isMarked = (text: string): boolean => text.charCodeAt(0) === mark;

/** The digits of a marked number; undefined for any other value. */
export function markedDigits(value: unknown): string | undefined {
  return typeof value === 'string' && isMarked(value) ? value.slice(1) : undefined;
}

/** The value as JSON.parse alone would return it. */
export function rounded(value: unknown): unknown {
  const digits = markedDigits(value);
  return digits === undefined ? value : Number(digits);
}
