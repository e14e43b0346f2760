import { isUpperCase } from '../text/python-strings.js';
import type { Tokens } from './tokens.js';
import {
  boost,
  boosters,
  capitals,
  dampeningPairs,
  idioms,
  isNegation,
  negation,
  ratings,
} from './word-lists.js';

/** The weight of the adverb one, two and three words before. */
const fading = { 1: 1, 2: 0.95, 3: 0.9 } as const;

/** The rating of the word at an index: its own, changed by capitals and by the three words before it. */
export function ratingOf(tokens: Tokens, index: number): number {
  const { lowered } = tokens;
  const word = lowered[index] ?? '';
  if (boosters.has(word) || (word === 'kind' && lowered[index + 1] === 'of')) return 0;
  const own = ratings.get(word);
  if (own === undefined) return 0;
  let rating = inCapitals(tokens, index) ? own + (own > 0 ? capitals : -capitals) : own;
  for (const back of [1, 2, 3] as const) {
    const before = lowered[index - back];
    if (before === undefined || ratings.has(before)) continue;
    rating += boostBefore(tokens, index - back, rating) * fading[back];
    rating *= negationBefore(tokens, index, back);
    if (back === 3) rating = idiomAround(tokens, index, rating);
  }
  return rating * leastBefore(tokens, index);
}

function inCapitals({ words, mixedCapitals }: Tokens, index: number): boolean {
  return mixedCapitals && isUpperCase(words[index] ?? '');
}

function boostBefore(tokens: Tokens, index: number, rating: number): number {
  let boosting = boosters.get(tokens.lowered[index] ?? '') ?? 0;
  if (boosting === 0) return 0;
  if (rating < 0) boosting = -boosting;
  if (inCapitals(tokens, index)) boosting += rating > 0 ? capitals : -capitals;
  return boosting;
}

const isSoOrThis = (word: string | undefined): boolean => word === 'so' || word === 'this';

/** A negation's factor this many words before; "never so", "never this" (case matters) strengthen. */
function negationBefore({ words, lowered }: Tokens, index: number, back: 1 | 2 | 3): number {
  const one = words[index - 1];
  const two = words[index - 2];
  if (back === 2 && two === 'never' && isSoOrThis(one)) return 1.5;
  // As in the reference: "so" or "this" immediately before is enough here, without a "never".
  if (back === 3 && ((words[index - 3] === 'never' && isSoOrThis(two)) || isSoOrThis(one))) return 1.25;
  return isNegation(lowered[index - back] ?? '') ? negation : 1;
}

/** The rating of an idiom that starts or ends here, or the given one; less after "kind of" or the like. */
function idiomAround({ words }: Tokens, index: number, rating: number): number {
  const phrase = (from: number, to: number): string => words.slice(index + from, index + to + 1).join(' ');
  const before = [phrase(-1, 0), phrase(-2, 0), phrase(-2, -1), phrase(-3, -1), phrase(-3, -2)];
  const ending = before.find((candidate) => idioms.has(candidate));
  let rated = ending === undefined ? rating : (idioms.get(ending) ?? rating);
  if (index + 1 < words.length) rated = idioms.get(phrase(0, 1)) ?? rated;
  if (index + 2 < words.length) rated = idioms.get(phrase(0, 2)) ?? rated;
  return dampeningPairs.has(phrase(-3, -2)) || dampeningPairs.has(phrase(-2, -1)) ? rated - boost : rated;
}

/** "least good" inverts a rating; "at least good" and "very least" don't. */
function leastBefore({ lowered }: Tokens, index: number): number {
  if (lowered[index - 1] !== 'least') return 1;
  const two = lowered[index - 2];
  return two === 'at' || two === 'very' ? 1 : negation;
}
