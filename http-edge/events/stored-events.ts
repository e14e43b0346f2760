import { minutesOf, type Minutes } from '../applications/minutes.js';
import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { Page } from '../clusters/page.js';
import type { AfterMetric, EventReader, SeriesFilter } from './event-reader.js';

/** The most series in an answer: one for each metric, cluster and type. */
const mostSeries = 50;

const inRange = `workspace = {workspace:String} AND minute >= toDateTime({since:UInt32}, 'UTC')
  AND minute < toDateTime({until:UInt32}, 'UTC')`;

/**
 * The figures of each type: sums for what is counted, the last value for what is measured. A figure without a
 * meaning for the type is null.
 */
const figures = `sum(events) AS occurrences,
  if(counts, sum(total), NULL) AS sum,
  if(counts, NULL, min(lowest)) AS min,
  if(counts, NULL, max(highest)) AS max,
  if(counts OR type = 'distribution', NULL, argMaxMerge(latest)) AS last,
  quantilesTDigestIfMerge(0.5, 0.9, 0.95, 0.99)(spread) AS spreads`;

/** Reads custom events from ClickHouse as a read-only user. */
export function storedEvents(store: Store): EventReader {
  return {
    metrics: (workspace, page, range) => readMetrics(store, workspace, page, minutesOf(range)),
    series: (workspace, range, filter) => readSeries(store, workspace, minutesOf(range), filter),
  };
}

/** Metrics by name. A metric with several types is listed once for each. */
async function readMetrics(
  store: Store,
  workspace: string,
  page: Page<AfterMetric>,
  minutes: Minutes,
): Promise<object> {
  const after = page.after ?? { metric: '', type: '' };
  const rows = await store.query<StoredRow>(
    `SELECT metric, type, type IN ('increment', 'decrement') AS counts, ${figures},
        uniqExact(cluster) AS clusters, toUnixTimestamp(max(minute)) AS latest_minute
     FROM telltale.events_1m
     WHERE ${inRange} AND (metric, type) > ({metric:String}, {type:String})
     GROUP BY metric, type ORDER BY metric, type LIMIT {limit:UInt32}`,
    { workspace, ...minutes, ...after, limit: page.limit + 1 },
  );
  const found = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? found.at(-1) : undefined;
  return {
    ...boundsOf(minutes),
    metrics: found.map(({ metric, type, clusters, latest_minute: minute, ...row }) => ({
      ...{ metric, type, clusters: Number(clusters), latest_minute: isoOfMillis(Number(minute) * 1_000) },
      ...figuresOf(row, type),
    })),
    next:
      last === undefined
        ? null
        : page.cursors.write({ metric: String(last['metric']), type: String(last['type']) }),
  };
}

async function readSeries(
  store: Store,
  workspace: string,
  minutes: Minutes,
  filter: SeriesFilter,
): Promise<object> {
  const conditions = [
    ...(filter.metric === undefined ? [] : ['AND metric = {metric:String}']),
    ...(filter.cluster === undefined ? [] : ['AND cluster = {cluster:String}']),
  ].join(' ');
  const rows = await store.query<StoredRow>(
    `WITH wanted AS
     (
         SELECT metric, cluster, type FROM telltale.events_1m
         WHERE ${inRange} ${conditions}
         GROUP BY metric, cluster, type ORDER BY sum(events) DESC, metric, cluster, type LIMIT ${mostSeries}
     )
     SELECT metric, cluster, type, type IN ('increment', 'decrement') AS counts,
        toUnixTimestamp(minute) - toUnixTimestamp(minute) % {step:UInt32} AS at, ${figures}
     FROM telltale.events_1m
     WHERE ${inRange} ${conditions} AND (metric, cluster, type) IN (SELECT metric, cluster, type FROM wanted)
     GROUP BY metric, cluster, type, at ORDER BY metric, cluster, type, at`,
    { workspace, ...minutes, ...filter },
  );
  const series = new Map<string, { metric: unknown; cluster: unknown; type: unknown; points: object[] }>();
  for (const { metric, cluster, type, at, ...row } of rows) {
    const name = JSON.stringify([metric, cluster, type]);
    const one = series.get(name) ?? { metric, cluster, type, points: [] };
    one.points.push({ at: isoOfMillis(Number(at) * 1_000), ...figuresOf(row, type) });
    series.set(name, one);
  }
  return { ...boundsOf(minutes), step_seconds: minutes.step, series: [...series.values()] };
}

const boundsOf = ({ since, until }: Minutes): object => ({
  from: isoOfMillis(since * 1_000),
  to: isoOfMillis(until * 1_000),
});

function figuresOf({ occurrences, sum, min, max, last, spreads }: StoredRow, type: unknown): object {
  const [p50, , p95, p99] = type === 'distribution' ? (spreads as readonly number[]) : [];
  return {
    events: Number(occurrences),
    ...{ sum: sum ?? null, min: min ?? null, max: max ?? null, last: last ?? null },
    ...{ p50: p50 ?? null, p95: p95 ?? null, p99: p99 ?? null },
  };
}
