import type { Units } from '../units.js';

export const isMark = (code: number): boolean => code === 34 || code === 39 || code === 96;

/** Where the next quotation mark stands, of whatever kind; `to` where there is none before it. */
export function nextMark(units: Units, from: number, to: number): number {
  let at = from;
  while (at < to && !isMark(units.at(at))) at += 1;
  return at;
}
