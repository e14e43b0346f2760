import type { Measure } from '../text/analysed-text.js';
import { roundHalfEven } from './round-half-even.js';
import { emphasisOf } from './emphasis.js';
import { tokensOf } from './tokens.js';
import { ratingOf } from './rating.js';

/** Gives words after a "but" more weight than words before it. */
function weighBut(ratings: readonly number[], but: number): readonly number[] {
  if (but < 0) return ratings;
  return ratings.map((rating, index) => (index < but ? rating * 0.5 : index > but ? rating * 1.5 : rating));
}

/** Polarity of a text, -1..1, four decimals; 0 without a word of the lexicon. */
export const sentimentCompound: Measure<number> = (text) => {
  const tokens = text.take(tokensOf);
  const first = new Map<string, number>();
  // A word is rated at its first position, however often it occurs: the reference looks it up by value.
  const ratings = tokens.words.map((word, index) => {
    const before = first.get(word);
    const rating = before ?? ratingOf(tokens, index);
    if (before === undefined) first.set(word, rating);
    return rating;
  });
  let sum = 0;
  for (const rating of weighBut(ratings, tokens.lowered.indexOf('but'))) sum += rating;
  if (sum > 0) sum += emphasisOf(text.text);
  else if (sum < 0) sum -= emphasisOf(text.text);
  return roundHalfEven(sum / Math.sqrt(sum * sum + 15));
};
