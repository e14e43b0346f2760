import type { Measure } from './analysed-text.js';
import { classOf, isSpace, isWord, unitsOf } from './character-classes.js';

export interface CharacterCounts {
  /** Code points that are not white space. */
  readonly characters: number;
  /** Letters, digits and underscores. */
  readonly letters: number;
}

export const characterCounts: Measure<CharacterCounts> = ({ text }) => {
  let characters = 0;
  let letters = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const flags = classOf(code);
    if ((flags & isSpace) === 0) characters += 1;
    if ((flags & isWord) !== 0) letters += 1;
    at += unitsOf(code);
  }
  return { characters, letters };
};
