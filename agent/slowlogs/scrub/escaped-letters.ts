import type { Units } from './units.js';

const [percent, backslash, underscore, letterU] = [37, 92, 95, 117];

/**
 * Reads letters and underscores of which some stand as escapes (escapes.ts), and gives their number: 0 where none does,
 * something else stands among them, or there are more than they are read into. None of them is cut out of its text: most
 * keys of JSON that hold backslashes are no word of a search by the first of them already.
 */
export function readEscapedLetters(units: Units, from: number, to: number, letters: Uint16Array): number {
  let length = 0;
  let isEscaped = false;
  for (let at = from; at < to; length += 1) {
    let unit = units.at(at);
    at += 1;
    if (unit === backslash) {
      isEscaped = true;
      while (at < to && units.at(at) === backslash) at += 1;
      if (at + 5 > to || units.at(at) !== letterU) return 0;
      unit = hexadecimal(units, at + 1, 4);
      at += 5;
    } else
      while (unit === percent) {
        unit = at + 2 > to ? none : hexadecimal(units, at, 2);
        at += 2;
      }
    if (length === letters.length || !isOfName(unit)) return 0;
    letters[length] = unit;
  }
  return isEscaped ? length : 0;
}

const none = -1;
const isOfName = (unit: number): boolean => ((unit | 32) >= 97 && (unit | 32) <= 122) || unit === underscore;

/** Negative where a sign is no digit. */
function hexadecimal(units: Units, from: number, digits: number): number {
  let read = 0;
  for (let at = from; at < from + digits; at += 1) {
    const unit = units.at(at);
    const small = unit | 32;
    const digit = unit >= 48 && unit <= 57 ? unit - 48 : small >= 97 && small <= 102 ? small - 87 : none;
    if (digit === none) return none;
    read = read * 16 + digit;
  }
  return read;
}
