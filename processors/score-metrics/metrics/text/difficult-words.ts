import { readLexicon } from '../../lexicons/read-lexicon.js';
import { lowered, type Measure } from './analysed-text.js';
import { isAscii, keepWordCharacters } from './python-strings.js';
import { syllablesOf } from './syllables.js';

/** Counts of different words outside the Dale-Chall list of easy words, by minimum number of syllables. */
export interface DifficultWords {
  readonly any: number;
  readonly ofTwoSyllables: number;
  readonly ofThreeSyllables: number;
}

const easyWords = new Set(readLexicon('easy-words.txt').map((word) => word.trim()));

/** Here equals signs and apostrophes are parts of a word. */
const asciiWord = /[\w=']+/g;
const anyWord = /[\p{L}\p{N}_='‘’]+/gu;

export const difficultWords: Measure<DifficultWords> = (text) => {
  const lower = text.take(lowered);
  let any = 0;
  let ofTwoSyllables = 0;
  let ofThreeSyllables = 0;
  for (const word of new Set(lower.match(isAscii(lower) ? asciiWord : anyWord))) {
    if (easyWords.has(word)) continue;
    const syllables = syllablesOf(keepWordCharacters(word));
    any += 1;
    if (syllables >= 2) ofTwoSyllables += 1;
    if (syllables >= 3) ofThreeSyllables += 1;
  }
  return { any, ofTwoSyllables, ofThreeSyllables };
};
