import { metric } from '../metric.js';
import { toxicityOf } from './semantics/measures.js';
import { toxicityVersion } from './versions.js';

/** Probability that the prompt is toxic, 0..1. */
export const textToxicity = metric({
  key: 'text_toxicity',
  version: toxicityVersion,
  essential: ['prompt.toxicity'],
  embeds: ['prompt'],
  score: ({ prompt }) => toxicityOf('prompt', prompt),
});
