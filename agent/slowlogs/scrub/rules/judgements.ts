import { judgedIn, type Judgement } from '../doubtful.js';
import type { Units } from '../units.js';

/** A power of two. */
const remembered = 256;

/** What the names of a text say. Most texts hold a few names again and again: what was said of one is remembered. */
export class Judgements {
  readonly #units: Units;
  readonly #starts = new Int32Array(remembered);
  readonly #lengths = new Int32Array(remembered);
  readonly #said = new Array<Judgement>(remembered).fill('none');

  constructor(units: Units) {
    this.#units = units;
  }

  /** What the name says that stands between two places. */
  of(from: number, to: number): Judgement {
    const length = to - from;
    const place = this.#placeOf(from, length);
    if (this.#lengths[place] === length && this.#isSame(this.#starts[place] ?? 0, from, length))
      return this.#said[place] ?? 'none';
    const says = judgedIn(this.#units, from, to);
    this.#starts[place] = from;
    this.#lengths[place] = length;
    this.#said[place] = says;
    return says;
  }

  #placeOf(from: number, length: number): number {
    const units = this.#units;
    const middle = units.at(from + (length >> 1));
    return (
      (31 * length + 7 * units.at(from) + 17 * middle + 13 * units.at(from + length - 1)) & (remembered - 1)
    );
  }

  #isSame(one: number, other: number, length: number): boolean {
    const units = this.#units;
    for (let at = 0; at < length; at += 1) if (units.at(one + at) !== units.at(other + at)) return false;
    return true;
  }
}
