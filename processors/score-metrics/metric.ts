import type { MetricKey } from '../../schemas/metrics.js';
import type { LanguageModelFindings } from './metrics/language-model/finding.js';
import type { AnalysedText } from './metrics/text/analysed-text.js';

/** What a scorer is given. The texts carry what other metrics have found out about them already. */
export interface ScoringInput {
  readonly prompt: AnalysedText;
  readonly response: AnalysedText | null;
  /** Asked for along with all the others: two metrics carry more keys then, as the API's document has it. */
  readonly combined: boolean;
  /** What a language model was asked beforehand: asking takes seconds, and scoring does not wait. */
  readonly findings?: LanguageModelFindings;
}

type MetricValue = string | number | null | readonly string[];
export type MetricValues = Readonly<Record<string, MetricValue>>;

/**
 * Every key of the metric with its value, and which of them are null for want of something, each with the reason.
 * A null that is an answer (no pattern matched) is not among the missing.
 */
export interface MetricScore {
  readonly values: MetricValues;
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * A metric: pure, in its own file, registered in metrics/registry.ts. `score` is a function of its input alone:
 * the same texts give the same values on every machine.
 */
export interface Metric {
  readonly key: MetricKey;
  /** Changes whenever a value for any text may change; stored with every result. */
  readonly version: string;
  /**
   * What the metric is there for. A request for this metric alone fails where none of these keys could be computed;
   * with at least one of them it is a result, and says in `unavailable` what is missing. The combined call is always
   * a result.
   */
  readonly essential: readonly string[];
  /** Which texts must have been embedded for it: the prompt, or both. The combined call embeds both. */
  readonly embeds?: readonly ['prompt'] | readonly ['prompt', 'response'];
  readonly score: (input: ScoringInput) => MetricScore;
}

export function metric(declaration: Metric): Metric {
  return declaration;
}

/** Values that are all there. */
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

/** Scores of one metric that were computed apart. */
export function together(...scores: readonly MetricScore[]): MetricScore {
  return {
    values: Object.assign({}, ...scores.map(({ values }) => values)) as MetricValues,
    missing: Object.assign({}, ...scores.map(({ missing }) => missing)) as Readonly<Record<string, string>>,
  };
}

/** Whether a request for this metric alone got what it asked for. */
export function isComputed({ essential }: Pick<Metric, 'essential'>, { missing }: MetricScore): boolean {
  return essential.some((key) => missing[key] === undefined);
}

/**
 * Why values are missing, in one line: the mere reason where it is the same for every value of the metric, else each
 * reason with its keys.
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
