import { metric, together, unavailable, type MetricScore, type ScoringInput } from '../metric.js';
import { reported } from './language-model/finding.js';
import { noResponse } from './reasons.js';
import { closestTopicOf, relevance, themesOf, toxicityOf } from './semantics/measures.js';
import { textMeasures } from './text-measures.js';
import { textMetrics } from './text-metrics.js';
import { semanticsVersion, textMeasuresVersion } from './versions.js';

/** Similarity of the texts to themes (jailbreak, refusal), and the text measures of both. */
export const themeSimilarity = metric({
  key: 'theme_similarity',
  version: `${textMeasuresVersion} ${semanticsVersion}`,
  essential: ['prompt.jailbreak_similarity', 'response.refusal_similarity'],
  embeds: ['prompt', 'response'],
  score: (input) =>
    together(
      textMetrics.score(input),
      themesOf('prompt', input.prompt),
      ofResponse(input),
      input.combined ? inCombined(input) : together(),
    ),
});

function ofResponse({ prompt, response, findings }: ScoringInput): MetricScore {
  return together(
    response === null ? together() : textMeasures('response', response),
    themesOf('response', response),
    relevance(prompt, response),
    response === null
      ? unavailable(['response.hallucination'], noResponse)
      : reported(findings?.hallucination, 'final_score', 'response.hallucination'),
  );
}

function inCombined({ prompt, response }: ScoringInput): MetricScore {
  return together(
    toxicityOf('prompt', prompt),
    toxicityOf('response', response),
    closestTopicOf('prompt', prompt),
    closestTopicOf('response', response),
  );
}
