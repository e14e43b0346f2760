import { inScope, quoted, statement, stepOf, type SqlScope } from '../../shared/sql-text.js';

/** Per-minute figures that can be combined; the view events_by_minute only has quantiles of minutes. */
const table = 'telltale.events_1m AS one';

/** By type: sums for counts, the last value for measurements, quantiles for distributions. */
const figures = [
  'sum(one.events) AS events',
  "type IN ('increment', 'decrement') AS counts",
  'if(counts, sum(one.total), NULL) AS sum',
  'if(counts, NULL, min(one.lowest)) AS min',
  'if(counts, NULL, max(one.highest)) AS max',
  "if(counts OR type = 'distribution', NULL, argMaxMerge(one.latest)) AS last",
  "if(type = 'distribution', quantilesTDigestIfMerge(0.5, 0.9, 0.95, 0.99)(one.spread), []) AS p50_p90_p95_p99",
];

/** The query behind the list, for an analyst. */
export const metricsSql = (scope: SqlScope): string =>
  statement({
    select: ['metric', 'type', ...figures, 'uniqExact(cluster) AS clusters', 'max(minute) AS latest_minute'],
    from: table,
    where: inScope('minute', scope),
    rest: ['GROUP BY metric, type', 'ORDER BY metric, type'],
  });

/** One metric, in steps of this many seconds. */
export const seriesSql = (
  { metric, cluster }: { readonly metric: string; readonly cluster: string },
  seconds: number,
  scope: SqlScope,
): string =>
  statement({
    select: [`${stepOf('minute', seconds)} AS at`, 'cluster', 'type', ...figures],
    from: table,
    where: [
      ...inScope('minute', scope),
      `metric = ${quoted(metric)}`,
      ...(cluster === '' ? [] : [`cluster = ${quoted(cluster)}`]),
    ],
    rest: ['GROUP BY cluster, type, at', 'ORDER BY cluster, type, at'],
  });
