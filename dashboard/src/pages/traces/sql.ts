import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';

export interface TraceFilter {
  readonly spans: string;
  readonly application: string;
  readonly operation: string;
  readonly status: string;
  readonly attribute: string;
  readonly min_ms: string;
}

/** The query behind the list, for an analyst; of all workspaces that who runs it may read. */
export function sqlOf(filter: TraceFilter, range: TimeRange, nowMs: number): string {
  const { spans, application, operation, status, attribute, min_ms: shortest } = filter;
  const conditions = [
    ...inRange('Timestamp', range, nowMs),
    ...(spans === 'all' ? [] : spans === 'entries' ? ['is_entry'] : ['is_entry', "ParentSpanId = ''"]),
    ...(application === '' ? [] : [`application = ${quoted(application)}`]),
    ...(operation === '' ? [] : [`SpanName = ${quoted(operation)}`]),
    ...(status === '' ? [] : [`StatusCode ${status === 'error' ? '=' : '!='} 'Error'`]),
    ...(attribute === '' ? [] : [conditionOf(attribute)]),
    ...(Number(shortest) > 0 ? [`Duration >= ${Number(shortest)} * 1e6`] : []),
  ];
  return [
    'SELECT Timestamp, TraceId, SpanId, application, ServiceName, SpanName, StatusCode, Duration / 1e6 AS duration_ms',
    'FROM telltale.otel_traces',
    `WHERE ${conditions.join('\n  AND ')}`,
    'ORDER BY Timestamp DESC',
    'LIMIT 100',
  ].join('\n');
}

function conditionOf(attribute: string): string {
  const sign = attribute.indexOf('=');
  const key = quoted(sign === -1 ? attribute : attribute.slice(0, sign));
  const either = (test: (map: string) => string): string =>
    `(${test('SpanAttributes')} OR ${test('ResourceAttributes')})`;
  if (sign === -1) return either((map) => `has(mapKeys(${map}), ${key})`);
  return either((map) => `${map}[${key}] = ${quoted(attribute.slice(sign + 1))}`);
}
