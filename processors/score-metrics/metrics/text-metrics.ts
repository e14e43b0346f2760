import { metric, together } from '../metric.js';
import { reported } from './language-model/finding.js';
import { textMeasures } from './text-measures.js';
import { textMeasuresVersion } from './versions.js';

/** Readability and complexity of the prompt, and other measures of the text alone. Sources: docs/scorers.md. */
export const textMetrics = metric({
  key: 'text_metrics',
  version: textMeasuresVersion,
  essential: ['prompt.flesch_reading_ease', 'prompt.lexicon_count'],
  score: ({ prompt, findings }) =>
    together(
      textMeasures('prompt', prompt),
      reported(findings?.injection, 'score', 'prompt.injection.proactive_detection'),
    ),
});
