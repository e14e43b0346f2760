import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';

export interface ResultFilter {
  readonly contains: string;
  readonly metric: string;
  readonly outcome: string;
}

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export function sqlOf({ contains, metric, outcome }: ResultFilter, range: TimeRange, nowMs: number): string {
  const conditions = [
    ...inRange('accepted_at', range, nowMs),
    ...(metric === '' ? [] : [`metric = ${quoted(metric)}`]),
    ...(contains === '' ? [] : [`positionCaseInsensitiveUTF8(prompt, ${quoted(contains)}) > 0`]),
    ...(outcome === '' ? [] : [outcome === 'failed' ? 'error IS NOT NULL' : 'error IS NULL']),
  ];
  return [
    'SELECT accepted_at, task_id, metric, prompt, error, prompt_sentiment_lexicon, prompt_toxicity, prompt_closest_topic',
    'FROM telltale.scoring_results',
    `WHERE ${conditions.join('\n  AND ')}`,
    'ORDER BY accepted_at DESC',
    'LIMIT 100',
  ].join('\n');
}
