import { metric } from '../metric.js';
import { relevance } from './semantics/measures.js';
import { similarityVersion } from './versions.js';

/** Cosine of the embeddings of prompt and response. */
export const textSimilarity = metric({
  key: 'text_similarity',
  version: similarityVersion,
  essential: ['response.relevance_to_prompt'],
  embeds: ['prompt', 'response'],
  score: ({ prompt, response }) => relevance(prompt, response),
});
