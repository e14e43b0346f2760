/**
 * A number of a body as it was written there, where JSON.parse would round it: a text of its digits behind the second
 * half of a surrogate pair. No text of a body begins with one, as halves without the other are replaced before it is read.
 */
const mark = 0xdc00;

export const markedNumber = (digits: string): string => String.fromCharCode(mark) + digits;

export const isMarked = (text: string): boolean => text.charCodeAt(0) === mark;

/** The digits of a marked number; undefined for whatever else. */
export function markedDigits(value: unknown): string | undefined {
  return typeof value === 'string' && isMarked(value) ? value.slice(1) : undefined;
}

/** The value as JSON.parse alone would have it. */
export function rounded(value: unknown): unknown {
  const digits = markedDigits(value);
  return digits === undefined ? value : Number(digits);
}
