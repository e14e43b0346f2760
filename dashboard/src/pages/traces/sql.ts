import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';

export interface TraceFilter {
  readonly spans: string;
  readonly application: string;
  readonly operation: string;
  readonly status: string;
  readonly attribute: string;
  readonly min_ms: string;
  readonly max_ms: string;
}

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export const sqlOf = (filter: TraceFilter, range: TimeRange, nowMs: number): string =>
  [
    'SELECT Timestamp, TraceId, SpanId, application, ServiceName, SpanName, StatusCode, Duration / 1e6 AS duration_ms',
    'FROM telltale.otel_traces',
    `WHERE ${conditionsOf(filter, range, nowMs).join('\n  AND ')}`,
    'ORDER BY Timestamp DESC',
    'LIMIT 100',
  ].join('\n');

/** The query behind the map, in coarser bands: of durations of the same power of ten, by the hour. */
export const durationsSql = (filter: TraceFilter, range: TimeRange, nowMs: number): string =>
  [
    'SELECT toStartOfHour(Timestamp) AS hour, pow(10, floor(log10(Duration / 1e6))) AS from_ms, count() AS spans,',
    "    countIf(StatusCode = 'Error') AS errors",
    'FROM telltale.otel_traces',
    `WHERE ${conditionsOf(filter, range, nowMs).join('\n  AND ')}`,
    'GROUP BY hour, from_ms',
    'ORDER BY hour, from_ms',
  ].join('\n');

function conditionsOf(filter: TraceFilter, range: TimeRange, nowMs: number): readonly string[] {
  const { spans, application, operation, status, attribute, min_ms: shortest, max_ms: longest } = filter;
  return [
    ...inRange('Timestamp', range, nowMs),
    ...(spans === 'all' ? [] : spans === 'entries' ? ['is_entry'] : ['is_entry', "ParentSpanId = ''"]),
    ...(application === '' ? [] : [`application = ${quoted(application)}`]),
    ...(operation === '' ? [] : [`SpanName = ${quoted(operation)}`]),
    ...(status === '' ? [] : [`StatusCode ${status === 'error' ? '=' : '!='} 'Error'`]),
    ...(attribute === '' ? [] : [ofAttribute(attribute)]),
    ...(Number(shortest) > 0 ? [`Duration >= ${Number(shortest)} * 1e6`] : []),
    ...(longest === '' ? [] : [`Duration <= ${Number(longest)} * 1e6`]),
  ];
}

function ofAttribute(attribute: string): string {
  const sign = attribute.indexOf('=');
  const key = quoted(sign === -1 ? attribute : attribute.slice(0, sign));
  const either = (test: (map: string) => string): string =>
    `(${test('SpanAttributes')} OR ${test('ResourceAttributes')})`;
  if (sign === -1) return either((map) => `has(mapKeys(${map}), ${key})`);
  return either((map) => `${map}[${key}] = ${quoted(attribute.slice(sign + 1))}`);
}
