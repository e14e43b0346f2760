import type { Answer } from '../../api/client.js';

type Metric = Answer<'/api/v1/results'>['results'][number]['metric'];

/** The keys by which results are filtered; `all` is the combined call. */
export const metrics: readonly Metric[] = [
  'all',
  'hallucination',
  'text_similarity',
  'detected_pii',
  'detected_prompt_injection',
  'detected_sensitive_pattern',
  'text_sentiment',
  'text_metrics',
  'theme_similarity',
  'text_topic',
  'text_toxicity',
];
