import type { BoundedRange } from '../../results/result-reader.js';
import { minutesOf } from '../../applications/minutes.js';
import type { ClusterOf } from '../cluster-reader.js';
import type { SeriesQuery } from '../series-query.js';
import { isKnown } from './sections.js';
import { sourceOf } from './series-sources.js';
import { isoOfMillis, type Store } from './store.js';

/** As many points as a chart has room for. */
const mostPoints = 240;

type Point = readonly [
  at: number,
  mean: number | null,
  lowest: number | null,
  highest: number | null,
  why: string | null,
];

interface SeriesRow {
  readonly id: string;
  readonly label: string | null;
  readonly points: readonly Point[];
  readonly seconds: number | string;
  readonly total: number | string;
}

/**
 * A figure over time. Nodes or indices with the highest values come first. An interval without collected data
 * is left out. One in which nothing could be measured has null, with the reason.
 */
export async function readSeries(
  store: Store,
  of: ClusterOf,
  range: BoundedRange,
  query: SeriesQuery,
): Promise<object | undefined> {
  const { since, until, step } = minutesOf(range, mostPoints);
  const rows = await store.query<SeriesRow>(
    `SELECT id, argMax(label, at) AS label, max(seconds) AS seconds, count() OVER () AS total,
        arraySort(point -> point.1, groupArray((at, mean, lowest, highest, why))) AS points
     FROM (
       SELECT id, any(label) AS label, intDiv(toUnixTimestamp(timestamp), {step:UInt32}) * {step:UInt32} AS at,
         avg(value) AS mean, min(value) AS lowest, max(value) AS highest, any(why) AS why, max(seconds) AS seconds
       FROM (${sourceOf(query)}) GROUP BY id, at
     )
     GROUP BY id ORDER BY max(highest) DESC NULLS LAST, id LIMIT {limit:UInt32}`,
    { ...of, ...(query.id !== undefined && { id: query.id }), limit: query.limit, since, until, step },
  );
  if (rows.length === 0 && !(await isKnown(store, of))) return undefined;
  return {
    cluster_uuid: of.uuid,
    ...{ of: query.of, figure: query.figure, step_seconds: step },
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    interval_seconds: rows.length === 0 ? null : Math.max(...rows.map(({ seconds }) => Number(seconds))),
    total: Number(rows[0]?.total ?? 0),
    series: rows.map(({ id, label, points }) => ({ id, name: label, points: points.map(viewOfPoint) })),
  };
}

const viewOfPoint = ([at, mean, min, max, why]: Point): object => ({
  at: isoOfMillis(at * 1_000),
  ...{ mean, min, max },
  gap: mean === null ? why : null,
});
