import { isDigit, isLetter } from '../letter-trie.js';
import type { Units } from '../units.js';
import { behind } from './reading.js';

/** How a script or a query takes the value of a field: a member, a call without texts, an element, a type. */
const reading =
  /\.(?:values?|keyword|raw|[A-Za-z]\w{0,30}\((?:[\w., \t+-]{0,40}|''|"")\))\)?|::[a-z_]{1,20}\)?|\[\d{1,3}\]\)?/y;
/** `CAST(password AS VARCHAR)`, behind the name. */
const castEnd = /as[ \t]{1,4}\w{1,20}(?:\(\d{1,4}\))?[ \t]{0,2}\)/iy;

const [dot, colon, question, openBracket, smallA, smallS] = [46, 58, 63, 91, 97, 115];

/** Behind such a reading at a place, -1 where none stands there. Of `?.` it is only the sign of asking. */
export function behindReading(units: Units, from: number): number {
  const next = units.at(from + 1);
  switch (units.at(from)) {
    case dot:
      return isLetter(next) ? behind(reading, units, from) : -1;
    case colon:
      return next === colon ? behind(reading, units, from) : -1;
    case openBracket:
      return isDigit(next) ? behind(reading, units, from) : -1;
    case question:
      return next === dot && isLetter(units.at(from + 2)) ? from + 1 : -1;
    default:
      return -1;
  }
}

/** Behind the type that a field is cast to, and the parenthesis; -1 where a place holds none. */
export const behindCast = (units: Units, at: number): number =>
  (units.at(at) | 32) === smallA && (units.at(at + 1) | 32) === smallS ? behind(castEnd, units, at) : -1;
