import { words, type Measure } from './analysed-text.js';
import { syllablesOf } from './syllables.js';

export interface WordCounts {
  readonly words: number;
  readonly syllables: number;
  /** Words of one syllable, and of none (numbers). */
  readonly monosyllables: number;
  /** Words of three or more syllables. */
  readonly polysyllables: number;
  /** Parts between white space among the first hundred, and how many of them have three or more syllables. */
  readonly firstParts: number;
  readonly firstPolysyllables: number;
}

const hundred = 100;

export const wordCounts: Measure<WordCounts> = (text) => {
  const all = text.take(words);
  const counts = { words: 0, syllables: 0, monosyllables: 0, polysyllables: 0, firstPolysyllables: 0 };
  all.forEach((word, index) => {
    if (word === '') return;
    const syllables = syllablesOf(word);
    counts.words += 1;
    counts.syllables += syllables;
    if (syllables < 2) counts.monosyllables += 1;
    if (syllables >= 3) counts.polysyllables += 1;
    if (syllables >= 3 && index < hundred) counts.firstPolysyllables += 1;
  });
  return { ...counts, firstParts: Math.min(all.length, hundred) };
};
