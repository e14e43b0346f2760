import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';

export interface ResultFilter {
  readonly contains: string;
  readonly metric: string;
  readonly outcome: string;
  readonly key: string;
  readonly label: string;
  readonly score: string;
  readonly min: string;
  readonly max: string;
}

/** Where a label may have been found. */
const labelled = ['prompt', 'response'].flatMap((side) => [
  (label: string) => `${side}_closest_topic = ${label}`,
  (label: string) => `${side}_has_patterns = ${label}`,
  (label: string) => `has(${side}_pii_types, ${label})`,
]);

/** Bounds are numbers already: their fields take nothing else. */
const bound = (score: string, sign: string, text: string): readonly string[] =>
  text === '' ? [] : [`${score} ${sign} ${text}`];

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export function sqlOf(
  { contains, metric, outcome, key, label, score, min, max }: ResultFilter,
  range: TimeRange,
  nowMs: number,
): string {
  const conditions = [
    ...inRange('accepted_at', range, nowMs),
    ...(metric === '' ? [] : [`metric = ${quoted(metric)}`]),
    ...(contains === '' ? [] : [`positionCaseInsensitiveUTF8(prompt, ${quoted(contains)}) > 0`]),
    ...(outcome === '' ? [] : [outcome === 'failed' ? 'error IS NOT NULL' : 'error IS NULL']),
    ...(key === '' ? [] : [`key_id = ${quoted(key)}`]),
    ...(label === '' ? [] : [`(${labelled.map((is) => is(quoted(label))).join(' OR ')})`]),
    ...bound(score, '>=', min),
    ...bound(score, '<=', max),
  ];
  return [
    'SELECT accepted_at, task_id, metric, prompt, error, prompt_sentiment_lexicon, prompt_toxicity, prompt_closest_topic',
    'FROM telltale.scoring_results',
    `WHERE ${conditions.join('\n  AND ')}`,
    'ORDER BY accepted_at DESC',
    'LIMIT 100',
  ].join('\n');
}

/** One score over time, by the hour. */
export function trendSql(
  { score, metric }: { readonly score: string; readonly metric: string },
  range: TimeRange,
  nowMs: number,
): string {
  const conditions = [
    ...inRange('accepted_at', range, nowMs),
    ...(metric === '' ? [] : [`metric = ${quoted(metric)}`]),
  ];
  return [
    `SELECT toStartOfHour(accepted_at) AS hour, count() AS results, count(${score}) AS scored, avg(${score}) AS mean,`,
    `    quantilesTDigest(0.05, 0.5, 0.95)(${score}) AS p05_p50_p95`,
    'FROM telltale.scoring_results',
    `WHERE ${conditions.join('\n  AND ')}`,
    'GROUP BY hour',
    'ORDER BY hour',
  ].join('\n');
}
