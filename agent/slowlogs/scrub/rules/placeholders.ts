import { entropy } from '../randomness.js';
import type { Units } from '../units.js';

/** No more of a token is looked at. */
const sampled = 64;
/** Fewer characters say nothing. */
const leastLength = 16;
const leastEntropy = 1.5;

/** A count times its logarithm. */
const weights = Float64Array.from(
  { length: sampled + 1 },
  (_, count) => count * Math.log2(Math.max(count, 1)),
);
/** What the weights of so many characters add up to where their entropy is the least that is no placeholder's. */
const weightAtMost = weights.map((weight, length) => weight - leastEntropy * length);
/** Far more than sums that are added to and taken from again and again are off by, far less than two counts differ by. */
const doubt = 1e-6;

/**
 * Documentation writes one character again and again where a token goes on. Many tokens may begin within a few characters:
 * what was counted of one is kept, and only what the next does not share with it is counted anew.
 */
export class Placeholders {
  readonly #units: Units;
  readonly #counts = new Uint8Array(128);
  #from = 0;
  #end = 0;
  #weight = 0;

  constructor(units: Units) {
    this.#units = units;
  }

  isOne(from: number, to: number): boolean {
    if (to - from < leastLength) return false;
    const end = Math.min(to, from + sampled);
    if (from < this.#from || from >= this.#end) this.#clear(from);
    for (; this.#from < from; this.#from += 1) this.#count(this.#from, -1);
    for (; this.#end < end; this.#end += 1) this.#count(this.#end, 1);
    for (; this.#end > end; this.#end -= 1) this.#count(this.#end - 1, -1);
    const beyond = this.#weight - (weightAtMost[end - from] ?? 0);
    return Math.abs(beyond) < doubt ? entropy(this.#units.text, from, end) < leastEntropy : beyond > 0;
  }

  #clear(from: number): void {
    this.#counts.fill(0);
    this.#weight = 0;
    this.#from = from;
    this.#end = from;
  }

  #count(at: number, change: 1 | -1): void {
    const read = this.#units.at(at);
    const code = read < 127 ? read : 127;
    const before = this.#counts[code] ?? 0;
    this.#weight += (weights[before + change] ?? 0) - (weights[before] ?? 0);
    this.#counts[code] = before + change;
  }
}
