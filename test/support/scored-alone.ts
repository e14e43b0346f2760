import { jobScorer } from '../../processors/score-metrics/score-job.js';
import { metrics } from '../../processors/score-metrics/metrics/registry.js';
import type { MetricKey } from '../../schemas/metrics.js';

const score = jobScorer(metrics, () => 0);

/** The result of a text that is scored alone in this process: every key of the metric except its time. */
export function scoredAlone(metric: MetricKey, prompt: string): Record<string, unknown> {
  const result = score({ id: 'alone', workspace: 'w', metric, prompt, response: null });
  if (!result.ok) throw new Error(result.reason);
  const values: Record<string, unknown> = { ...result.metrics[metric] };
  delete values['created_at'];
  return values;
}
