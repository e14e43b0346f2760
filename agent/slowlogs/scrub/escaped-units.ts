import { resolved } from './escapes.js';
import type { Units } from './units.js';

const [percent, backslash, letterU] = [37, 92, 117];
const none = -1;

/** What a letter behind backslashes stands for, 0 where it is no escape. */
const meanings = Uint8Array.from({ length: 128 }, (_, letter) => resolved[String.fromCharCode(letter)] ?? 0);

/**
 * A text read with its escapes resolved (escapes.ts), stretch by stretch. What a name in escapes says is asked of many
 * names: none of them is cut out of its text to be read.
 */
export class EscapedUnits {
  /** Where that begins which follows the unit that was read last. */
  next = 0;
  /** The unit that was read last. */
  last = 0;

  constructor(readonly units: Units) {}

  /** The unit at a place of a stretch that ends at another. */
  at(place: number, end: number): number {
    const unit = this.units.at(place);
    this.next = place + 1;
    if (unit === backslash) this.last = this.#behindBackslash(end);
    else this.last = unit === percent ? this.#behindPercent(end) : unit;
    return this.last;
  }

  #behindBackslash(end: number): number {
    const { units } = this;
    let at = this.next;
    while (at < end && units.at(at) === backslash) at += 1;
    this.next = at;
    if (at === end) return backslash;
    const letter = units.at(at);
    const meant = letter < 128 ? (meanings[letter] ?? 0) : 0;
    const unit = meant === 0 && letter === letterU ? hexadecimal(units, at + 1, at + 5, end) : none;
    if (meant !== 0) this.next = at + 1;
    else if (unit !== none) this.next = at + 5;
    return meant !== 0 ? meant : unit !== none ? unit : backslash;
  }

  /** It may be encoded more than once. */
  #behindPercent(end: number): number {
    let unit = percent;
    do {
      const read = hexadecimal(this.units, this.next, this.next + 2, end);
      if (!isText(read)) return unit;
      unit = read;
      this.next += 2;
    } while (unit === percent);
    return unit;
  }
}

const isText = (unit: number): boolean =>
  (unit >= 32 && unit < 127) || unit === 9 || unit === 10 || unit === 13;

/** The number that a stretch writes, -1 where it goes on behind an end or is none. */
function hexadecimal(units: Units, from: number, to: number, end: number): number {
  if (to > end) return none;
  let read = 0;
  for (let at = from; at < to; at += 1) {
    const unit = units.at(at);
    const small = unit | 32;
    const digit = unit >= 48 && unit <= 57 ? unit - 48 : small >= 97 && small <= 102 ? small - 87 : none;
    if (digit === none) return none;
    read = read * 16 + digit;
  }
  return read;
}
