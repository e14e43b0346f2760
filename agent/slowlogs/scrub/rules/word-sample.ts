import { bounds, capital, digit, entropy, kindOf, sampled, small, weights } from '../randomness.js';
import type { Units } from '../units.js';

const letter = small | capital;
/** What two characters that follow each other are to each other, by their kinds. */
const [turn, caseChange] = [1, 2];
const pairs = Uint8Array.from({ length: 256 }, (_, kinds) => {
  const [before, after] = [kinds >> 4, kinds & 15];
  const isBetween = (one: number, other: number): boolean =>
    ((before & one) !== 0 && (after & other) !== 0) || ((before & other) !== 0 && (after & one) !== 0);
  return (isBetween(digit, letter) ? turn : 0) | (isBetween(small, capital) ? caseChange : 0);
});
/** By how much one more of a character is heavier. */
const heavier = Float64Array.from(
  { length: sampled },
  (_, count) => (weights[count + 1] ?? 0) - (weights[count] ?? 0),
);
/** How many characters of each kind there are stands in one number: no more than so many bits each. */
const kindBits = 10;
const kindMask = (1 << kindBits) - 1;
const [smalls, capitals, digits] = [0, kindBits, 2 * kindBits];
const places = new Map([
  [small, smalls],
  [capital, capitals],
  [digit, digits],
]);
const oneOf = Int32Array.from({ length: 128 }, (_, code) => {
  const place = places.get(kindOf(code));
  return place === undefined ? 0 : 1 << place;
});
/** Before the first character: one that is of no kind, and that none is the successor of. */
const nothing = 0xffff;
/** Far more than sums that are added to and taken from again and again are off by, far less than two counts differ by. */
const doubt = 1e-6;

/**
 * The beginning of a word, as far as its look says something. What was counted of one word is kept, and only what the next
 * does not share with it is counted anew.
 */
export class WordSample {
  readonly #units: Units;
  readonly #counts = new Uint16Array(128);
  #from = 0;
  #end = 0;
  #weight = 0;
  #kinds = 0;
  #turns = 0;
  #caseChanges = 0;
  #successors = 0;

  constructor(units: Units) {
    this.#units = units;
  }

  take(from: number, to: number): void {
    const end = Math.min(to, from + sampled);
    const isFar = from < this.#from || from >= this.#end;
    if (isFar || this.#end - end > end - from) this.#clear(from); // less is counted anew than taken from
    if (from > this.#from) this.#drop(from);
    if (end < this.#end) this.#cut(end);
    if (end > this.#end) this.#add(end);
  }

  /** Of letters and digits, or of letters whose case changes by chance: of two drawn so every other pair does. */
  isMixed(): boolean {
    if (this.#has(digits)) return this.#has(smalls) || this.#has(capitals);
    return this.#caseChanges >= bounds.caseChanges * (this.#end - this.#from - 1);
  }

  hasAllKinds(): boolean {
    return this.#has(smalls) && this.#has(capitals) && this.#has(digits);
  }

  /** Whether letters and digits stand in turn as in no name. */
  hasTurns(): boolean {
    return this.#turns >= Math.max(bounds.fewestTurns, bounds.turns * (this.#end - this.#from - 1));
  }

  /** Whether most characters are followed by their successors. */
  isSequence(): boolean {
    return this.#successors >= bounds.successors * (this.#end - this.#from - 1);
  }

  /** Whether it has so many bits a character at least. */
  hasEntropy(bits: number): boolean {
    const length = this.#end - this.#from;
    const beyond = this.#weight - ((weights[length] ?? 0) - bits * length);
    return Math.abs(beyond) < doubt ? entropy(this.#units.text, this.#from, this.#end) >= bits : beyond < 0;
  }

  #has(place: number): boolean {
    return ((this.#kinds >> place) & kindMask) !== 0;
  }

  #clear(from: number): void {
    this.#counts.fill(0);
    this.#weight = 0;
    this.#kinds = 0;
    this.#turns = 0;
    this.#caseChanges = 0;
    this.#successors = 0;
    this.#from = from;
    this.#end = from;
  }

  #drop(from: number): void {
    for (; this.#from < from; this.#from += 1) {
      this.#leave(this.#from);
      if (this.#from + 1 < this.#end) this.#pair(this.#from, -1);
    }
  }

  #cut(end: number): void {
    for (; this.#end > end; this.#end -= 1) {
      this.#leave(this.#end - 1);
      if (this.#end - 1 > this.#from) this.#pair(this.#end - 2, -1);
    }
  }

  /** Most of what is counted: nothing is written to this object before the end. */
  #add(end: number): void {
    const units = this.#units;
    const counts = this.#counts;
    let weight = this.#weight;
    let kinds = this.#kinds;
    let turns = 0;
    let caseChanges = 0;
    let successors = 0;
    let before = this.#end > this.#from ? units.at(this.#end - 1) : nothing;
    let kindBefore = kindOf(before);
    for (let at = this.#end; at < end; at += 1) {
      const code = units.at(at);
      const slot = code < 127 ? code : 127;
      const count = counts[slot] ?? 0;
      weight += heavier[count] ?? 0;
      counts[slot] = count + 1;
      kinds += oneOf[slot] ?? 0;
      if (code - before === 1) successors += 1;
      const kind = kindOf(code);
      if (kind !== kindBefore) {
        const found = pairs[(kindBefore << 4) | kind] ?? 0;
        turns += found & turn;
        caseChanges += found >> 1;
      }
      before = code;
      kindBefore = kind;
    }
    this.#weight = weight;
    this.#kinds = kinds;
    this.#turns += turns;
    this.#caseChanges += caseChanges;
    this.#successors += successors;
    this.#end = end;
  }

  #leave(at: number): void {
    const code = this.#units.at(at);
    const slot = code < 127 ? code : 127;
    const count = (this.#counts[slot] ?? 0) - 1;
    this.#weight -= heavier[count] ?? 0;
    this.#counts[slot] = count;
    this.#kinds -= oneOf[slot] ?? 0;
  }

  /** Of a character and the next. */
  #pair(at: number, change: 1 | -1): void {
    const before = this.#units.at(at);
    const after = this.#units.at(at + 1);
    if (after - before === 1) this.#successors += change;
    const found = pairs[(kindOf(before) << 4) | kindOf(after)] ?? 0;
    if (found !== 0) this.#change(found, change);
  }

  #change(found: number, change: 1 | -1): void {
    if (found === turn) this.#turns += change;
    else this.#caseChanges += change;
  }
}
