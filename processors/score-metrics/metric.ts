import type { MetricKey } from '../../schemas/metrics.js';
import type { LanguageModelFindings } from './metrics/language-model/finding.js';
import type { AnalysedText } from './metrics/text/analysed-text.js';

/** The input of a scorer. The texts carry what other metrics have already computed from them. */
export interface ScoringInput {
  readonly prompt: AnalysedText;
  readonly response: AnalysedText | null;
  /** Requested with all other metrics. Then two metrics have more keys, as the API's document says. */
  readonly combined: boolean;
  /** What a language model was asked beforehand: that takes seconds, and scoring does not wait. */
  readonly findings?: LanguageModelFindings;
}

type MetricValue = string | number | null | readonly string[];
export type MetricValues = Readonly<Record<string, MetricValue>>;

/**
 * Every key of the metric with its value, and which of these are null because something is missing, each with
 * the reason. A null that is an answer (no pattern matched) is not among the missing.
 */
export interface MetricScore {
  readonly values: MetricValues;
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * A metric: pure, in its own file, registered in metrics/registry.ts. `score` depends on its input alone: the same
 * texts give the same values on every machine.
 */
export interface Metric {
  readonly key: MetricKey;
  /** Changes whenever a value for any text may change; stored with every result. */
  readonly version: string;
  /**
   * The purpose of the metric. A request for this metric alone fails if none of these keys could be computed.
   * With at least one of them it is a result, whose `unavailable` says what is missing. The combined call is
   * always a result.
   */
  readonly essential: readonly string[];
  /** The texts that must be embedded for it: the prompt, or both. The combined call embeds both. */
  readonly embeds?: readonly ['prompt'] | readonly ['prompt', 'response'];
  readonly score: (input: ScoringInput) => MetricScore;
}

export function metric(declaration: Metric): Metric {
  return declaration;
}

/** Values that are all available. */
export function available(values: MetricValues): MetricScore {
  return { values, missing: {} };
}

/** Keys whose values could not be computed, each null, and why. */
export function unavailable(keys: readonly string[], reason: string): MetricScore {
  return {
    values: Object.fromEntries(keys.map((key) => [key, null])),
    missing: Object.fromEntries(keys.map((key) => [key, reason])),
  };
}

/** Scores of one metric that were computed separately. */
export function together(...scores: readonly MetricScore[]): MetricScore {
  return {
    values: Object.assign({}, ...scores.map(({ values }) => values)) as MetricValues,
    missing: Object.assign({}, ...scores.map(({ missing }) => missing)) as Readonly<Record<string, string>>,
  };
}

/** Whether a request for this metric alone has a result. */
export function isComputed({ essential }: Pick<Metric, 'essential'>, { missing }: MetricScore): boolean {
  return essential.some((key) => missing[key] === undefined);
}

/**
 * Why values are missing, in one line: the reason alone if it is the same for every value of the metric,
 * otherwise each reason with its keys.
 */
export function reasonsOf({ values, missing }: MetricScore): string | undefined {
  const keysByReason = new Map<string, string[]>();
  for (const [key, reason] of Object.entries(missing)) {
    keysByReason.set(reason, [...(keysByReason.get(reason) ?? []), key]);
  }
  if (keysByReason.size === 0) return undefined;
  const [first] = keysByReason;
  if (first?.[1].length === Object.keys(values).length) return first[0];
  return [...keysByReason].map(([reason, keys]) => `${keys.join(', ')}: ${reason}`).join('; ');
}
