import type { Score } from '../../schemas/scores.js';
import { minutesOf } from '../applications/minutes.js';
import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import { newestIn } from './newest-versions.js';
import { conditionsOf } from './result-conditions.js';
import type { BoundedRange, ResultFilter } from './result-reader.js';

/** One score over time, and over the whole range. The score is a column name that the caller has checked. */
export async function readTrends(
  store: Store,
  workspace: string,
  range: BoundedRange,
  score: Score,
  filter: ResultFilter,
): Promise<object> {
  const { since, until, step } = minutesOf(range);
  const rows = await store.query<StoredRow>(
    `SELECT grouping(at) = 1 AS is_whole, intDiv(toUnixTimestamp(accepted_at), {step:UInt32}) * {step:UInt32} AS at,
        count() AS results, count(${score}) AS scored, avg(${score}) AS mean, min(${score}) AS lowest,
        max(${score}) AS highest, quantilesTDigest(0.05, 0.5, 0.95)(${score}) AS spread
     FROM telltale.scoring_result_versions
     WHERE ${newestIn(`workspace = {workspace:String}
       AND accepted_at >= toDateTime({since:UInt32}, 'UTC') AND accepted_at < toDateTime({until:UInt32}, 'UTC')`)}
       ${conditionsOf(filter)}
     GROUP BY GROUPING SETS ((at), ())`,
    { workspace, ...filter, since, until, step },
  );
  const points = new Map(rows.filter((row) => !isWhole(row)).map((row) => [Number(row['at']), row]));
  const first = Math.floor(since / step) * step;
  return {
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    ...{ score, step_seconds: step },
    whole: figuresOf(rows.find(isWhole)),
    points: Array.from({ length: Math.ceil((until - first) / step) }, (_, index) => {
      const at = first + index * step;
      return { at: isoOfMillis(at * 1_000), ...figuresOf(points.get(at)) };
    }),
  };
}

const isWhole = (row: StoredRow): boolean => Boolean(row['is_whole']);

/** If no result has the score, its figures are null. */
function figuresOf(row: StoredRow | undefined): object {
  const scored = Number(row?.['scored'] ?? 0);
  const [p05, p50, p95] = scored === 0 ? [] : (row?.['spread'] as readonly number[]);
  const known = (name: string): unknown => (scored === 0 ? null : row?.[name]);
  return {
    ...{ results: Number(row?.['results'] ?? 0), scored },
    ...{ mean: known('mean'), min: known('lowest'), max: known('highest') },
    ...{ p05: p05 ?? null, p50: p50 ?? null, p95: p95 ?? null },
  };
}
