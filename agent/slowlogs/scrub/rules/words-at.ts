import { isOfWord } from '../letter-trie.js';
import type { Units } from '../units.js';

/** What `\w` stands for. */
export const isWordUnit = (code: number): boolean => isOfWord(code) || code === 95;

/** Whether a word stands at a place, letter for letter. */
export function isAt(units: Units, at: number, word: string): boolean {
  for (let place = 0; place < word.length; place += 1)
    if (units.at(at + place) !== word.charCodeAt(place)) return false;
  return true;
}

/** Behind the first of some words that stands at a place; -1 where none does. */
export function behindOneOf(units: Units, at: number, words: readonly string[]): number {
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? '';
    if (isAt(units, at, word)) return at + word.length;
  }
  return -1;
}

/** Whether a word of small letters stands at a place, in any case. */
export function isAtInAnyCase(units: Units, at: number, word: string): boolean {
  for (let place = 0; place < word.length; place += 1)
    if ((units.at(at + place) | smallLetter) !== word.charCodeAt(place)) return false;
  return true;
}
const smallLetter = 32;
