import { available, metric, together } from '../metric.js';
import { closestTopicOf, themesOf, toxicityOf } from './semantics/measures.js';
import { textMetrics } from './text-metrics.js';
import { piiValues } from './text-measures.js';
import { textMeasuresVersion } from './versions.js';

/**
 * Personal data in the prompt. In the combined call it also has the text measures of the prompt: a quirk of
 * the documented API, reproduced exactly.
 */
export const detectedPii = metric({
  key: 'detected_pii',
  version: textMeasuresVersion,
  essential: ['prompt.pii_engine.result', 'prompt.pii_engine.entities_count'],
  score: (input) => {
    if (!input.combined) return available(piiValues('prompt', input.prompt));
    return together(
      textMetrics.score(input),
      toxicityOf('prompt', input.prompt),
      closestTopicOf('prompt', input.prompt),
      themesOf('prompt', input.prompt),
    );
  },
});
