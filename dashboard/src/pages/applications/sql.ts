import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';

const figures = [
  '    count() AS requests,',
  "    countIf(StatusCode = 'Error') AS errors,",
  '    arrayMap(ns -> ns / 1e6, quantilesTDigest(0.5, 0.95, 0.99)(Duration)) AS p50_p95_p99_ms',
].join('\n');

const entries = (range: TimeRange, nowMs: number): readonly string[] => [
  'is_entry',
  ...inRange('Timestamp', range, nowMs),
];

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export const applicationsSql = (range: TimeRange, nowMs: number): string =>
  [
    'SELECT',
    '    application,',
    figures,
    'FROM telltale.otel_traces',
    `WHERE ${entries(range, nowMs).join('\n  AND ')}`,
    'GROUP BY application',
    'ORDER BY requests DESC',
  ].join('\n');

/** The same of one application's operations. */
export const operationsSql = (application: string, range: TimeRange, nowMs: number): string =>
  [
    'SELECT',
    '    ServiceName,',
    '    SpanName,',
    figures,
    'FROM telltale.otel_traces',
    `WHERE ${[...entries(range, nowMs), `application = ${quoted(application)}`].join('\n  AND ')}`,
    'GROUP BY ServiceName, SpanName',
    'ORDER BY requests DESC',
  ].join('\n');
