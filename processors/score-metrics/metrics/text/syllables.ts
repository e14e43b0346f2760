import { readLexicon } from '../../lexicons/read-lexicon.js';
import { classOf, isDigit, unitsOf } from './character-classes.js';
import { isAscii } from './python-strings.js';

/**
 * Syllables of an English word: a list of 6,392 words, and a rule of vowel groups for the rest, as in syllapy 0.8.
 * A word with a digit has none.
 */
const listed = new Map(
  readLexicon('syllables.csv').map((line) => {
    const [word = '', count = ''] = line.split(',');
    return [word, Number(count)];
  }),
);

const vowels = new Set('aeiouy');

function byRule(word: string): number {
  let count = 0;
  let afterVowel = false;
  for (const letter of word) {
    const vowel = vowels.has(letter);
    if (vowel && !afterVowel) count += 1;
    afterVowel = vowel;
  }
  if (word.endsWith('e')) count -= 1;
  if (word.endsWith('le') && word.length > 2 && !vowels.has(word.charAt(word.length - 3))) count += 1;
  return count === 0 ? 1 : count;
}

function hasDigit(word: string): boolean {
  if (isAscii(word)) return /[0-9]/.test(word);
  for (let at = 0; at < word.length;) {
    const code = word.codePointAt(at) ?? 0;
    if ((classOf(code) & isDigit) !== 0) return true;
    at += unitsOf(code);
  }
  return false;
}

function trimUnderscores(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && word.charAt(from) === '_') from += 1;
  while (to > from && word.charAt(to - 1) === '_') to -= 1;
  return word.slice(from, to);
}

function count(word: string): number {
  const bare = trimUnderscores(word);
  if (bare === '' || hasDigit(bare)) return 0;
  return listed.get(bare) ?? byRule(bare);
}

/** Words recur: their counts are kept, up to a bound. */
const known = new Map<string, number>();
const mostKnown = 50_000;
const longestKnown = 32;

/** The syllables of a lower-case word without punctuation except underscores; the empty word has none. */
export function syllablesOf(word: string): number {
  const before = known.get(word);
  if (before !== undefined) return before;
  const counted = count(word);
  if (word.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear();
    known.set(word, counted);
  }
  return counted;
}
