import { inScope, ofWorkspace, quoted, statement, stepOf, type SqlScope } from '../../shared/sql-text.js';

export interface ResultFilter {
  readonly contains: string;
  readonly metric: string;
  readonly outcome: string;
  readonly lane: string;
  readonly key: string;
  readonly label: string;
  readonly score: string;
  readonly min: string;
  readonly max: string;
}

const table = 'telltale.scoring_results';

/** The columns that can contain a label. */
const labelled = ['prompt', 'response'].flatMap((side) => [
  (label: string) => `${side}_closest_topic = ${label}`,
  (label: string) => `${side}_has_patterns = ${label}`,
  (label: string) => `has(${side}_pii_types, ${label})`,
]);

/** Bounds are numbers already: their fields accept nothing else. */
const bound = (score: string, sign: string, text: string): readonly string[] =>
  text === '' ? [] : [`${score} ${sign} ${text}`];

const conditionsOf = (
  { contains, metric, outcome, lane, key, label, score, min, max }: ResultFilter,
  scope: SqlScope,
): readonly string[] => [
  ...inScope('accepted_at', scope),
  ...(metric === '' ? [] : [`metric = ${quoted(metric)}`]),
  ...(contains === '' ? [] : [`positionCaseInsensitiveUTF8(prompt, ${quoted(contains)}) > 0`]),
  ...(outcome === '' ? [] : [outcome === 'failed' ? 'error IS NOT NULL' : 'error IS NULL']),
  ...(lane === '' ? [] : [`lane = ${quoted(lane)}`]),
  ...(key === '' ? [] : [`key_id = ${quoted(key)}`]),
  ...(label === '' ? [] : [`(${labelled.map((is) => is(quoted(label))).join(' OR ')})`]),
  ...bound(score, '>=', min),
  ...bound(score, '<=', max),
];

/** The query behind the list, for an analyst. */
export const sqlOf = (filter: ResultFilter, scope: SqlScope): string =>
  statement({
    select: [
      ...['accepted_at', 'task_id', 'lane', 'metric', 'prompt', 'error'],
      ...['prompt_sentiment_lexicon', 'prompt_toxicity', 'prompt_closest_topic'],
      'prompt_pii_engine_entities_count',
    ],
    from: table,
    where: conditionsOf(filter, scope),
    rest: ['ORDER BY accepted_at DESC, task_id DESC', 'LIMIT 100'],
  });

/** One score over time, in steps of this many seconds. */
export const trendSql = (filter: ResultFilter, seconds: number, scope: SqlScope): string => {
  const { score } = filter;
  return statement({
    select: [
      `${stepOf('accepted_at', seconds)} AS at`,
      ...['count() AS results', `count(${score}) AS scored`, `avg(${score}) AS mean`],
      ...[`min(${score}) AS lowest`, `max(${score}) AS highest`],
      `quantilesTDigest(0.05, 0.5, 0.95)(${score}) AS p05_p50_p95`,
    ],
    from: table,
    where: conditionsOf(filter, scope),
    rest: ['GROUP BY at', 'ORDER BY at'],
  });
};

/** One complete result. */
export const resultSql = (id: string, scope: SqlScope): string =>
  statement({
    select: ['*'],
    from: table,
    where: [ofWorkspace(scope), `task_id = ${quoted(id)}`],
    rest: ['LIMIT 1'],
  });
