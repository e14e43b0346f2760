import { combined } from '../../schemas/metrics.js';
import type { MetricObject } from '../../schemas/results.js';
import { isoMicroseconds, type Clock } from '../../runtime/clock.js';
import { reasonOf } from '../../runtime/errors.js';
import {
  isComputed,
  reasonsOf,
  unavailable,
  type Metric,
  type MetricScore,
  type ScoringInput,
} from './metric.js';
import { foundPattern } from './metrics/patterns/groups.js';
import type { Semantics } from './metrics/semantics/semantics.js';
import { standardSettings, type ScoringSettings } from './metrics/settings.js';
import { AnalysedText } from './metrics/text/analysed-text.js';
import type { PatternPlaces, ScoringJob, ScoringJobResult } from './scoring-job.js';

/** The vectors of the texts; a text that no metric asks to embed has none. */
export interface JobSemantics {
  readonly prompt?: Semantics | undefined;
  readonly response?: Semantics | undefined;
}

/**
 * Scores one request's texts. A request for one metric fails if that metric can't be computed. The combined
 * one is always a result, in which a metric that failed is null with a reason.
 */
export function jobScorer(
  metrics: readonly Metric[],
  clock: Clock,
  settings: ScoringSettings = standardSettings,
): (job: ScoringJob, semantics?: JobSemantics) => ScoringJobResult {
  const byKey = new Map<string, Metric>(metrics.map((metric) => [metric.key, metric]));
  const allVersions = versionsOf(metrics);
  return (job, semantics) => {
    const input: ScoringInput = {
      prompt: new AnalysedText(job.prompt, settings, semantics?.prompt),
      response: job.response === null ? null : new AnalysedText(job.response, settings, semantics?.response),
      combined: job.metric === combined,
      ...(job.findings === undefined ? {} : { findings: job.findings }),
    };
    if (job.metric === combined) {
      const objects = metrics.map((metric) => [metric.key, objectOf(scoreOrReason(metric, input), clock)]);
      return {
        ok: true,
        metrics: Object.fromEntries(objects) as Record<string, MetricObject>,
        scorerVersions: allVersions,
        patternPlaces: placesIn(input),
      };
    }
    const metric = byKey.get(job.metric);
    if (metric === undefined) return { ok: false, reason: `There is no metric ${job.metric}.` };
    const score = metric.score(input);
    if (!isComputed(metric, score)) return { ok: false, reason: essentialReason(metric, score) };
    return {
      ok: true,
      metrics: { [metric.key]: objectOf(score, clock) },
      scorerVersions: versionsOf([metric]),
      patternPlaces: placesIn(input),
    };
  };
}

/** The places of the patterns that were looked for; the API's metric objects have no room for them. */
function placesIn({ prompt, response }: ScoringInput): PatternPlaces {
  const [inPrompt, inResponse] = [prompt, response].map((text) => text?.taken(foundPattern)?.place);
  return { ...(inPrompt && { prompt: inPrompt }), ...(inResponse && { response: inResponse }) };
}

function versionsOf(metrics: readonly Metric[]): Readonly<Record<string, string>> {
  return Object.fromEntries(metrics.map(({ key, version }) => [key, version]));
}

function scoreOrReason(metric: Metric, input: ScoringInput): MetricScore {
  try {
    return metric.score(input);
  } catch (error) {
    return unavailable(metric.essential, `The calculation failed: ${reasonOf(error)}`);
  }
}

function objectOf(score: MetricScore, clock: Clock): MetricObject {
  const reasons = reasonsOf(score);
  return {
    created_at: isoMicroseconds(clock()),
    ...score.values,
    ...(reasons === undefined ? {} : { unavailable: reasons }),
  };
}

function essentialReason({ essential }: Metric, { missing }: MetricScore): string {
  const keys = essential.filter((key) => missing[key] !== undefined);
  const values = Object.fromEntries(keys.map((key) => [key, null]));
  return (
    reasonsOf({ values, missing: Object.fromEntries(keys.map((key) => [key, missing[key] ?? ''])) }) ?? ''
  );
}
