import type { Units } from '../units.js';

const [doubleQuote, singleQuote, backtick] = [34, 39, 96];

/** `"` or `'`. */
export const isQuote = (code: number): boolean => code === doubleQuote || code === singleQuote;
/** Those, or a backtick. */
export const isMark = (code: number): boolean => isQuote(code) || code === backtick;

/** Where the next quotation mark stands, of whatever kind; `to` where there is none before it. */
export function nextMark(units: Units, from: number, to: number): number {
  let at = from;
  while (at < to && !isMark(units.at(at))) at += 1;
  return at;
}
