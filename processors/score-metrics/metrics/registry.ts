import type { MetricKey } from '../../../schemas/metrics.js';
import type { Metric } from '../metric.js';
import { detectedPii } from './detected-pii.js';
import { detectedPromptInjection } from './detected-prompt-injection.js';
import { detectedSensitivePattern } from './detected-sensitive-pattern.js';
import { hallucination } from './hallucination.js';
import { piiVersion } from './pii/score-pii.js';
import type { ScoringSettings } from './settings.js';
import { textMetrics } from './text-metrics.js';
import { textSentiment } from './text-sentiment.js';
import { textSimilarity } from './text-similarity.js';
import { textTopic } from './text-topic.js';
import { textToxicity } from './text-toxicity.js';
import { themeSimilarity } from './theme-similarity.js';
import { standardEmbedding, standardPiiVersion } from './versions.js';

/** Every metric of the API. The compiler ensures that none is missing. */
const registered: Readonly<Record<MetricKey, Metric>> = {
  hallucination,
  text_similarity: textSimilarity,
  detected_pii: detectedPii,
  detected_prompt_injection: detectedPromptInjection,
  detected_sensitive_pattern: detectedSensitivePattern,
  text_sentiment: textSentiment,
  text_metrics: textMetrics,
  theme_similarity: themeSimilarity,
  text_topic: textTopic,
  text_toxicity: textToxicity,
};

/** In the order of a combined result. */
export const metrics: readonly Metric[] = Object.values(registered);

/**
 * The metrics for texts that are analysed with these settings and embedded by this model. A setting that
 * changes a value changes the version. A version that depends on personal data contains its configuration.
 */
export function metricsWith({ pii }: ScoringSettings, embedding = standardEmbedding): readonly Metric[] {
  return metrics.map((metric) => ({
    ...metric,
    version: metric.version
      .replace(standardPiiVersion, piiVersion(pii))
      .replace(standardEmbedding, embedding),
  }));
}
