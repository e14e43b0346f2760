import { doubtfulAtLeast, numberAtMost } from '../doubtful.js';
import { bounds, capital, isUuid, kindOf, sampled, small } from '../randomness.js';
import type { Units } from '../units.js';
import { Alphabet, type Runs } from './runs.js';
import { WordSample } from './word-sample.js';

const ofKeys = Alphabet.of('[A-Za-z0-9+/=_-]');
const ofEncoded = Alphabet.of('[A-Za-z0-9+/=-]');
const lettersAndDigits = Alphabet.of('[A-Za-z0-9]');
const digits = Alphabet.of('[0-9]');
const opens = Alphabet.of('[*%^]');
const closes = Alphabet.of('[*%?$]');
const date = /\d{4}-\d\d/y;
const markOfService = /[a-z]{2,12}[_-]/iy;
const [dot, hyphen] = [46, 45];
const letter = small | capital;

/**
 * Whether words of a text look like credentials, just as those by themselves do (doubtful.ts, randomness.ts). Values of
 * names within one word all end where it ends: what was read of one is kept for the next.
 */
export class WordLooks {
  readonly #units: Units;
  readonly #runs: Runs;
  readonly #sample: WordSample;
  #digitsFrom = 0;
  #digitAt = 0;

  constructor(units: Units, runs: Runs) {
    this.#units = units;
    this.#runs = runs;
    this.#sample = new WordSample(units);
  }

  looksCredential(from: number, to: number, says: 'weak' | 'vendor'): boolean {
    if (to - from < doubtfulAtLeast) return false;
    if (says === 'weak') return this.#mayBeCredential(from, to);
    const [start, end] = [this.#behindWildcards(from), this.#beforeWildcard(to)];
    return this.#isOf(ofKeys, start, end) && this.#looksLikeKey(start, end);
  }

  /** As long as numbers are that services give, and no longer. */
  isNumber(from: number, to: number): boolean {
    return to > from && to - from <= numberAtMost && this.#isOf(digits, from, to);
  }

  #behindWildcards(from: number): number {
    if (!opens.has(this.#units.at(from))) return from;
    return opens.has(this.#units.at(from + 1)) ? from + 2 : from + 1;
  }

  #beforeWildcard(to: number): number {
    if (!closes.has(this.#units.at(to - 1))) return to;
    return this.#units.at(to - 2) === dot ? to - 2 : to - 1;
  }

  #isOf(alphabet: Alphabet, from: number, to: number): boolean {
    return this.#runs.endOf(alphabet, from) >= to;
  }

  #mayBeCredential(from: number, to: number): boolean {
    if (!this.#hasDigit(from, to) && !this.#isUuid(from, to) && !this.#changesCase(from, to)) return false;
    return (
      this.#looksRandom(from, to, 16) || (this.#isOf(ofEncoded, from, to) && this.#looksEncoded(from, to))
    );
  }

  /** Whether the case of letters may change by chance: less costs less to tell than all that a sample says. */
  #changesCase(from: number, to: number): boolean {
    const units = this.#units;
    const end = Math.min(to, from + sampled);
    let changes = 0;
    let before = 0;
    for (let at = from; at < end; at += 1) {
      const kind = kindOf(units.at(at)) & letter;
      if (kind !== before && kind !== 0 && before !== 0) changes += 1;
      before = kind;
    }
    return changes >= bounds.caseChanges * (end - from - 1);
  }

  #looksLikeKey(from: number, to: number): boolean {
    const length = to - from;
    if (this.#isOf(digits, from, to))
      return length >= 15 && length <= 24 && this.#sampled(from, to).hasEntropy(bounds.numberEntropy);
    if (this.#isOf(lettersAndDigits, from, to))
      return this.#looksRandom(from, to, 20) || this.#looksDrawn(from, to, 14);
    if (this.#isUuid(from, to)) return true;
    if (!this.#hasDigit(from, to)) return false; // all that is asked below needs one
    if (length >= 20 && this.#looksEncoded(from, to)) return true;
    return this.#looksDrawn(from, to, 20) && !this.#matches(markOfService, from);
  }

  #looksRandom(from: number, to: number, atLeast: number): boolean {
    if (to - from < atLeast) return false;
    if (this.#isUuid(from, to)) return true;
    const sample = this.#sampled(from, to);
    return sample.isMixed() && sample.hasEntropy(bounds.randomEntropy) && !sample.isSequence();
  }

  #looksDrawn(from: number, to: number, atLeast: number): boolean {
    return (
      this.#sampled(from, to).hasTurns() && this.#looksRandom(from, to, atLeast) && !this.#matches(date, from)
    );
  }

  #looksEncoded(from: number, to: number): boolean {
    const sample = this.#sampled(from, to);
    return sample.hasAllKinds() && sample.hasEntropy(bounds.encodedEntropy) && !sample.isSequence();
  }

  #isUuid(from: number, to: number): boolean {
    return (
      to - from === 36 && this.#units.at(from + 8) === hyphen && isUuid(this.#units.text.slice(from, to))
    );
  }

  /** What was passed over is remembered: the next word mostly begins in it. */
  #hasDigit(from: number, to: number): boolean {
    const until = Math.min(to, from + sampled);
    if (from < this.#digitsFrom || from > this.#digitAt) {
      this.#digitsFrom = from;
      this.#digitAt = from;
    }
    while (this.#digitAt < until && !digits.has(this.#units.at(this.#digitAt))) this.#digitAt += 1;
    return this.#digitAt < until;
  }

  #sampled(from: number, to: number): WordSample {
    this.#sample.take(from, to);
    return this.#sample;
  }

  #matches(expression: RegExp, at: number): boolean {
    expression.lastIndex = at;
    return expression.test(this.#units.text);
  }
}
