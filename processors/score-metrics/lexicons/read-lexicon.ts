import { readFileSync } from 'node:fs';

export type LexiconFile = 'easy-words.txt' | 'syllables.csv' | 'vader.txt' | 'unicode-14.txt';

/** The lines of a word list, read once when its reader is loaded. NOTICE lists sources and licences. */
export function readLexicon(file: LexiconFile): readonly string[] {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}
