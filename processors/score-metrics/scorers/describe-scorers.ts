import type { Scorer } from '../../../schemas/generated/scorer.js';
import { combined, metricKeys, type MetricKey, type RequestedMetric } from '../../../schemas/metrics.js';
import { hallucinationKeys } from '../metrics/hallucination/hallucination-check.js';
import { nothingFound, type LanguageModelFindings } from '../metrics/language-model/finding.js';
import type { ScoringSettings } from '../metrics/settings.js';
import type { ScoringJob, ScoringJobResult, ScoringPool } from '../scoring-job.js';
import { factsOf, type ConfiguredModels } from './scorer-facts.js';

export interface DescribeScorersOptions {
  readonly pool: Pick<ScoringPool, 'score'>;
  readonly settings: ScoringSettings;
  readonly models: ConfiguredModels;
}

export type ScorerDescription = Omit<Scorer, 'reported_at'>;

/**
 * The metrics of this installation. Whether a metric is available is found by computing it for two short texts. A
 * configured language model is assumed to answer, because asking it costs. Rejects with the signal's reason.
 */
export async function describeScorers(
  { pool, settings, models }: DescribeScorersOptions,
  signal?: AbortSignal,
): Promise<readonly ScorerDescription[]> {
  const [all, similarity] = await pool.score([jobOf(combined), jobOf('text_similarity')], { signal });
  const findings = models.language === undefined ? undefined : asIfAnswered(similarity);
  const results = await pool.score(
    metricKeys.map((metric) => jobOf(metric, findings)),
    { signal },
  );
  const versions = all?.ok === true ? all.scorerVersions : {};
  return metricKeys.map((metric, at) => ({
    metric,
    version: versions[metric] ?? '',
    ...factsOf(metric, settings, models),
    ...availability(metric, results[at]),
  }));
}

function jobOf(metric: RequestedMetric, findings?: LanguageModelFindings): ScoringJob {
  return {
    id: `describing ${metric}`,
    workspace: '',
    metric,
    prompt: 'Where is the harbour?',
    response: 'By the sea.',
    ...(findings === undefined ? {} : { findings }),
  };
}

/**
 * The findings that the language model would bring. Without vectors, the other half of the hallucination
 * check is still missing.
 */
function asIfAnswered(similarity: ScoringJobResult | undefined): LanguageModelFindings {
  const reason = similarity?.ok === false ? similarity.reason : undefined;
  const withoutVectors = nothingFound(['semantic_score', 'final_score'], reason ?? '');
  const answered = Object.fromEntries(hallucinationKeys.map((key) => [key, 0]));
  return {
    injection: { values: { score: 0, response: '' }, missing: {} },
    hallucination:
      reason === undefined
        ? { values: answered, missing: {} }
        : { values: { ...answered, ...withoutVectors.values }, missing: withoutVectors.missing },
  };
}

function availability(
  metric: MetricKey,
  result: ScoringJobResult | undefined,
): Pick<Scorer, 'available' | 'unavailable'> {
  if (result === undefined) return { available: false, unavailable: 'It was not scored.' };
  if (!result.ok) return { available: false, unavailable: result.reason };
  const { unavailable } = result.metrics[metric] ?? {};
  return { available: true, unavailable: typeof unavailable === 'string' ? unavailable : null };
}
