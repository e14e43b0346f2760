/**
 * The metrics of the API: names, paths and texts exactly as in the product's document. Results contain a
 * metric's key, URLs its path, and task messages its title.
 */
export interface MetricDeclaration {
  readonly key: string;
  readonly path: string;
  readonly title: string;
  /** What the endpoint does with `response`: requires and scores it, scores it if given, or echoes it. */
  readonly response: 'required' | 'optional' | 'echoed';
}

export const metricDeclarations = [
  { key: 'hallucination', path: 'hallucination', title: 'hallucination', response: 'required' },
  { key: 'text_similarity', path: 'text-similarity', title: 'text similarity', response: 'required' },
  { key: 'detected_pii', path: 'detected-pii', title: 'PII detection', response: 'echoed' },
  {
    key: 'detected_prompt_injection',
    path: 'detected-prompt-injection',
    title: 'prompt injection',
    response: 'echoed',
  },
  {
    key: 'detected_sensitive_pattern',
    path: 'detected-sensitive-pattern',
    title: 'sensitive pattern',
    response: 'echoed',
  },
  { key: 'text_sentiment', path: 'text-sentiment', title: 'text sentiment', response: 'echoed' },
  { key: 'text_metrics', path: 'text-metrics', title: 'text metrics', response: 'echoed' },
  { key: 'theme_similarity', path: 'theme-similarity', title: 'theme similarity', response: 'optional' },
  { key: 'text_topic', path: 'text-topic', title: 'text topic', response: 'echoed' },
  { key: 'text_toxicity', path: 'text-toxicity', title: 'text toxicity', response: 'echoed' },
] as const satisfies readonly MetricDeclaration[];

export type MetricKey = (typeof metricDeclarations)[number]['key'];

/** The combined call requests all metrics at once; it has no path segment. */
export const combined = 'all';

/** What a request asks for: one metric, or all metrics. */
export type RequestedMetric = MetricKey | typeof combined;

export const metricKeys: readonly MetricKey[] = metricDeclarations.map(({ key }) => key);

const byKey = new Map<string, MetricDeclaration>(metricDeclarations.map((metric) => [metric.key, metric]));

export function declarationOf(metric: MetricKey): MetricDeclaration {
  const declaration = byKey.get(metric);
  if (declaration === undefined) throw new RangeError(`${metric} is no metric`);
  return declaration;
}

/** The message of an accepted task, exactly as in the document. */
export function acceptedMessage(metric: RequestedMetric): string {
  return metric === combined
    ? 'Your request to calculate metrics is being processed.'
    : `Your ${declarationOf(metric).title} metric calculation is being processed.`;
}
