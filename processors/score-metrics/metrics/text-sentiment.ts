import { available, metric } from '../metric.js';
import { sentimentCompound } from './sentiment/compound.js';
import { sentimentVersion } from './versions.js';

/**
 * Polarity of the prompt by the VADER lexicon, in -1..1 (0 for a text without lexicon words).
 * Source: Hutto and Gilbert, ICWSM 2014; rules and constants as in NLTK 3.8.1.
 */
export const textSentiment = metric({
  key: 'text_sentiment',
  version: sentimentVersion,
  essential: ['prompt.sentiment_lexicon'],
  score: ({ prompt }) => available({ 'prompt.sentiment_lexicon': prompt.take(sentimentCompound) }),
});
