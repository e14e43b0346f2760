import { parts, type AnalysedText } from '../text/analysed-text.js';
import { isLongerThanOne, isUpperCase } from '../text/python-strings.js';

/** Marks that are removed from one end of a word; others, and marks at both ends, stay. */
const marks: ReadonlySet<string> = new Set([
  ...['.', '!', '?', ',', ';', ':', '-', "'", '"'],
  ...['!!', '!!!', '??', '???', '?!?', '!?!', '?!?!', '!?!?'],
]);

const punctuation = /[!-/:-@[-`{-~]/;
const leadingMarks = /^[!-/:-@[-`{-~]+/;
// Bounded, so that a word of ten thousand commas and a letter is not tried from each comma.
const trailingMarks = /[!-/:-@[-`{-~]{1,4}$/;

export interface Tokens {
  readonly words: readonly string[];
  readonly lowered: readonly string[];
  /** Some words are in capitals, and some are not: capitals mean something only then. */
  readonly mixedCapitals: boolean;
}

/** Words and emoticons longer than one character. */
export function tokensOf(text: AnalysedText): Tokens {
  const words = text.take(parts).filter(isLongerThanOne).map(withoutMark);
  const capitals = words.reduce((count, word) => (isUpperCase(word) ? count + 1 : count), 0);
  return {
    words,
    lowered: words.map((word) => word.toLowerCase()),
    mixedCapitals: capitals > 0 && capitals < words.length,
  };
}

function withoutMark(part: string): string {
  if (!punctuation.test(part)) return part;
  const leading = leadingMarks.exec(part)?.[0] ?? '';
  if (leading !== '') return marks.has(leading) ? bareWord(part.slice(leading.length), part) : part;
  const trailing = trailingMarks.exec(part)?.[0] ?? '';
  return marks.has(trailing) ? bareWord(part.slice(0, part.length - trailing.length), part) : part;
}

function bareWord(word: string, otherwise: string): string {
  return isLongerThanOne(word) && !punctuation.test(word) ? word : otherwise;
}
