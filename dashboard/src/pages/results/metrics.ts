import type { Answer } from '../../api/client.js';

type Metric = Answer<'/api/v1/results'>['results'][number]['metric'];

const listed = [
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
] as const;

type Unlisted = Exclude<Metric, (typeof listed)[number]>;

/**
 * The metrics by which results can be filtered; `all` is the combined call. A metric that is not listed above
 * is a type error here.
 */
export const metrics: readonly ([Unlisted] extends [never] ? Metric : never)[] = listed;
