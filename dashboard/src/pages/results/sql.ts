import { boundsOf, type TimeRange } from '../../shared/time-range.js';

export interface ResultFilter {
  readonly contains: string;
  readonly metric: string;
  readonly outcome: string;
}

/** A text as ClickHouse reads it. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export function sqlOf({ contains, metric, outcome }: ResultFilter, range: TimeRange, nowMs: number): string {
  const { from, to } = boundsOf(range, nowMs);
  const conditions = [
    `accepted_at >= parseDateTime64BestEffort(${quoted(from)}, 6)`,
    `accepted_at < parseDateTime64BestEffort(${quoted(to)}, 6)`,
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
