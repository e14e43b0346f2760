import { metric } from '../metric.js';
import { hallucinationKeys, hallucinationVersion } from './hallucination/hallucination-check.js';
import { nothingFound } from './language-model/finding.js';
import { noLanguageModel, noResponse } from './reasons.js';

/** How far a response departs from other responses to the same prompt. */
export const hallucination = metric({
  key: 'hallucination',
  version: hallucinationVersion,
  essential: ['final_score'],
  score: ({ response, findings }) => {
    if (response === null) return nothingFound(hallucinationKeys, noResponse);
    return findings?.hallucination ?? nothingFound(hallucinationKeys, noLanguageModel);
  },
});
