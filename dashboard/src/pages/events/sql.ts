import { inScope, quoted, statement, type SqlScope } from '../../shared/sql-text.js';

const table = 'telltale.events_by_minute';

/** The query behind the list, for an analyst. */
export const metricsSql = (scope: SqlScope): string =>
  statement({
    select: [
      ...['metric', 'type', 'sum(one.events) AS events', 'sum(one.sum) AS sum'],
      ...['min(one.min) AS min', 'max(one.max) AS max', 'argMax(one.last, minute) AS last'],
      ...['uniqExact(cluster) AS clusters', 'max(minute) AS latest_minute'],
    ],
    from: `${table} AS one`,
    where: inScope('minute', scope),
    rest: ['GROUP BY metric, type', 'ORDER BY metric, type'],
  });

/** One metric, minute by minute: quantiles of minutes can't be combined into those of a longer step. */
export const seriesSql = (
  { metric, cluster }: { readonly metric: string; readonly cluster: string },
  scope: SqlScope,
): string =>
  statement({
    select: ['minute', 'cluster', 'type', 'events', 'sum', 'min', 'max', 'last', 'p50', 'p95', 'p99'],
    from: table,
    where: [
      ...inScope('minute', scope),
      `metric = ${quoted(metric)}`,
      ...(cluster === '' ? [] : [`cluster = ${quoted(cluster)}`]),
    ],
    rest: ['ORDER BY cluster, type, minute'],
  });
