import type { Units } from '../units.js';

/** What `\s` stands for (ECMA-262, WhiteSpace and LineTerminator), read by hand. */
export const isBlank = (code: number): boolean =>
  code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 0xa0 && isBlankBeyondAscii(code);

const isBlankBeyondAscii = (code: number): boolean =>
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000 ||
  code === 0xfeff;

/** Behind the blanks at a place, of which no more than so many are passed over. */
export function behindBlanks(units: Units, from: number, atMost: number): number {
  const until = from + atMost;
  let at = from;
  while (at < until && isBlank(units.at(at))) at += 1;
  return at;
}

/** Where the blanks begin that end at a place, of which no more than so many are passed over. */
export function blanksFrom(units: Units, end: number, atMost: number): number {
  const until = end - atMost;
  let at = end;
  while (at > until && isBlank(units.at(at - 1))) at -= 1;
  return at;
}

/** A blank within a line. */
export const isGap = (code: number): boolean => code === 32 || code === 9;

/** Behind those at a place, of which no more than so many are passed over. */
export function behindGaps(units: Units, from: number, atMost: number): number {
  let at = from;
  while (at < from + atMost && isGap(units.at(at))) at += 1;
  return at;
}
