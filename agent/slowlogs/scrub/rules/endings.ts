import { isOfWord } from '../letter-trie.js';
import type { Units } from '../units.js';

/** Of ASCII. */
const width = 128;

/** Words that are looked for where they end, last letter first: one table, as most places rule out all words at once. */
export class Endings {
  /** By state and unit the next state, 0 where no word goes on. */
  readonly #next: Uint16Array;
  readonly #isWord: Uint8Array;
  #states = 1;

  /** Words of small letters, digits and signs; in the text each letter may be a capital where `anyCase` says so. */
  constructor(words: readonly string[], anyCase = false) {
    const most = words.reduce((sum, word) => sum + word.length, 1);
    this.#next = new Uint16Array(most * width);
    this.#isWord = new Uint8Array(most);
    for (const word of words) this.#add(word, anyCase);
  }

  #add(word: string, anyCase: boolean): void {
    let state = 0;
    for (const letter of Array.from(word).reverse()) {
      const known = this.#next[state * width + letter.charCodeAt(0)] ?? 0;
      const next = known === 0 ? this.#states : known;
      if (known === 0) this.#states += 1;
      for (const either of anyCase ? [letter, letter.toUpperCase()] : [letter])
        this.#next[state * width + either.charCodeAt(0)] = next;
      state = next;
    }
    this.#isWord[state] = 1;
  }

  /** Where the longest of them begins that ends at a place, -1 where none does. */
  startOf(units: Units, end: number): number {
    let start = -1;
    let state = 0;
    for (let at = end - 1; ; at -= 1) {
      const code = units.at(at);
      state = code < width ? (this.#next[state * width + code] ?? 0) : 0;
      if (state === 0) return start;
      if (this.#isWord[state] === 1) start = at;
    }
  }

  /** Where the shortest of them begins that ends at a place and no letter or digit stands before; -1 where none does. */
  startOfWord(units: Units, end: number): number {
    let state = 0;
    for (let at = end - 1; ; at -= 1) {
      const code = units.at(at);
      state = code < width ? (this.#next[state * width + code] ?? 0) : 0;
      if (state === 0) return -1;
      if (this.#isWord[state] === 1 && !isOfWord(units.at(at - 1))) return at;
    }
  }
}
