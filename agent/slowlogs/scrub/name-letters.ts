import type { EscapedUnits } from './escaped-units.js';
import { isDigit, isLetter, placeOf } from './letter-trie.js';
import type { Units } from './units.js';

/** Names that are longer say nothing. */
export const longestName = 160;

/** Of a letter or a digit its kind, and below that the place that a trie knows it by, behind two that are of none. */
const [small, capital, digit] = [1, 2, 3];
const kindShift = 6;
const placeMask = (1 << kindShift) - 1;
const [separator, dot, firstPlace] = [0, 1, 2];
const letterOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const kind = isDigit(code) ? digit : isLetter(code) ? (code < 97 ? capital : small) : 0;
  if (kind === 0) return code === '.'.charCodeAt(0) ? dot : separator;
  return (kind << kindShift) | (placeOf(code) + firstPlace);
});

/** Of the name that was read last. Its letters are asked for again and again, and read from the text but once. */
const letters = new Uint8Array(longestName + 1);

/** Reads a name of no more than the longest, of which the functions below answer up to the next, and gives its length. */
export function readName(text: string, from: number, to: number): number {
  const length = to - from;
  for (let at = 0; at < length; at += 1) read(at, text.charCodeAt(from + at));
  letters[length] = separator;
  return length;
}

/** The same of a name in a text that is read by its units. */
export function readNameIn(units: Units, from: number, to: number): number {
  const length = to - from;
  for (let at = 0; at < length; at += 1) read(at, units.at(from + at));
  letters[length] = separator;
  return length;
}

/** The same with escapes resolved, of a stretch that is no longer. */
export function readEscapedName(escaped: EscapedUnits, from: number, to: number): number {
  let length = 0;
  for (let at = from; at < to; at = escaped.next) {
    read(length, escaped.at(at, to));
    length += 1;
  }
  letters[length] = separator;
  return length;
}

function read(at: number, code: number): void {
  letters[at] = code < 128 ? (letterOf[code] ?? separator) : separator;
}

const kindAt = (at: number): number => (letters[at] ?? 0) >> kindShift;

/** Where the last dot stands before a place, -1 where none does. */
export function dotBefore(end: number): number {
  let at = end - 1;
  while (at >= 0 && letters[at] !== dot) at -= 1;
  return at;
}

/** What a trie knows the letter or digit at a place by; negative for what separates words. */
export const placeAt = (at: number): number => ((letters[at] ?? 0) & placeMask) - firstPlace;
export const isDigitAt = (at: number): boolean => kindAt(at) === digit;

/**
 * Whether a word begins at a letter or digit of a name: at the name's beginning, behind what separates words, where a
 * capital follows a small letter or the last of several capitals is followed by one, and where digits end the name.
 */
export function startsWord(at: number, length: number): boolean {
  const before = at === 0 ? 0 : kindAt(at - 1);
  if (before === 0) return true;
  const here = kindAt(at);
  if (here === small) return false;
  if (here === capital) return before === small || (before === capital && kindAt(at + 1) === small);
  if (here !== digit || before === digit) return false;
  let end = at + 1;
  while (end < length && kindAt(end) === digit) end += 1;
  return end === length;
}

/** Where the last word begins of the part of a name before `end`, -1 where none does. */
export function lastWordStart(end: number, length: number): number {
  for (let at = end - 1; at >= 0; at -= 1) if (kindAt(at) !== 0 && startsWord(at, length)) return at;
  return -1;
}

/** Where the first word begins of a name from a place on, the name's end where none does. */
export function nextWordStart(place: number, length: number): number {
  for (let at = place; at < length; at += 1) if (kindAt(at) !== 0 && startsWord(at, length)) return at;
  return length;
}
