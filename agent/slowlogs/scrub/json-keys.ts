import type { Marks } from './json-marks.js';
import { depthOf } from './json-strings.js';
import type { Units } from './units.js';

const [colon, backslash] = [58, 92];
const [letterN, letterR, letterT] = [110, 114, 116];
const keyAtMost = 400;

/** The mark that closes the string which another opens, where that is as short as a key is, -1 where none does. */
export function endOfKey(marks: Marks, opening: number, depth: number, end: number): number {
  const place = marks.placeOf(opening);
  const until = Math.min(end, place + keyAtMost);
  for (let mark = opening + 1; marks.placeOf(mark) < until; mark += 1) {
    const found = depthOf(marks.backslashesOf(mark));
    if (found <= depth) return found === depth && marks.placeOf(mark) > place + 1 ? mark : -1;
  }
  return -1;
}

/** The colon behind a place, -1 where none is. Most marks show by what is behind them that they end no key. */
export function colonBehind(units: Units, place: number, end: number): number {
  const unit = units.at(place + 1);
  if (unit > 32 && unit !== backslash) return unit === colon && place + 1 < end ? place + 1 : -1;
  const behind = behindBlanks(units, place + 1, end);
  return behind < end && units.at(behind) === colon ? behind : -1;
}

/** Behind the blanks at a place. They may be escaped, where the JSON is. */
export function behindBlanks(units: Units, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const unit = units.at(at);
    if (unit <= 32) continue;
    if (unit !== backslash) return at;
    let letter = at + 1;
    while (units.at(letter) === backslash) letter += 1;
    if (letter >= end || !isLetterOfBlank(units.at(letter))) return at;
    at = letter;
  }
  return end;
}

const isLetterOfBlank = (unit: number): boolean => unit === letterN || unit === letterR || unit === letterT;
