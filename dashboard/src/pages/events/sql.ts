import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export const metricsSql = (range: TimeRange, nowMs: number): string =>
  [
    'SELECT metric, type, sum(events) AS events, sum(sum) AS sum, min(min) AS min, max(max) AS max,',
    '    argMax(last, minute) AS last, uniqExact(cluster) AS clusters, max(minute) AS latest_minute',
    'FROM telltale.events_by_minute',
    `WHERE ${inRange('minute', range, nowMs).join('\n  AND ')}`,
    'GROUP BY metric, type',
    'ORDER BY metric, type',
  ].join('\n');

/** One metric, minute by minute. */
export const seriesSql = (
  { metric, cluster }: { readonly metric: string; readonly cluster: string },
  range: TimeRange,
  nowMs: number,
): string =>
  [
    'SELECT minute, cluster, type, events, sum, min, max, last, p50, p95, p99',
    'FROM telltale.events_by_minute',
    `WHERE ${[...inRange('minute', range, nowMs), `metric = ${quoted(metric)}`, ...(cluster === '' ? [] : [`cluster = ${quoted(cluster)}`])].join('\n  AND ')}`,
    'ORDER BY cluster, type, minute',
  ].join('\n');
