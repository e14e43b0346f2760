import { inScope, ofWorkspace, quoted, statement, stepOf, type SqlScope } from '../../shared/sql-text.js';

export interface TraceFilter {
  readonly spans: string;
  readonly application: string;
  readonly operation: string;
  readonly status: string;
  readonly attribute: string;
  readonly min_ms: string;
  readonly max_ms: string;
}

const table = 'telltale.otel_traces';

/** The query behind the list, for an analyst. */
export const sqlOf = (filter: TraceFilter, scope: SqlScope): string =>
  statement({
    select: [
      ...[
        'Timestamp',
        'TraceId',
        'SpanId',
        'application',
        'ServiceName',
        'SpanName',
        'SpanKind',
        'StatusCode',
      ],
      'Duration / 1e6 AS duration_ms',
    ],
    from: table,
    where: conditionsOf(filter, scope),
    rest: ['ORDER BY Timestamp DESC, TraceId DESC, SpanId DESC', 'LIMIT 100'],
  });

/** The map's duration bands and time steps. */
export interface MapSteps {
  readonly edges_ms: readonly number[];
  readonly step_seconds: number;
}

/** The query behind the map. */
export const durationsSql = (
  filter: TraceFilter,
  { edges_ms: edges, step_seconds: seconds }: MapSteps,
  scope: SqlScope,
): string =>
  statement({
    select: [
      `${stepOf('Timestamp', seconds)} AS at`,
      `roundDown(Duration, [${edges.map((ms) => Math.round(ms * 1e6)).join(', ')}]) / 1e6 AS from_ms`,
      'count() AS spans',
      "countIf(StatusCode = 'Error') AS errors",
    ],
    from: table,
    where: conditionsOf(filter, scope),
    rest: ['GROUP BY at, from_ms', 'ORDER BY at, from_ms'],
  });

/** The spans of one trace. */
export const traceSql = (id: string, scope: SqlScope): string =>
  statement({
    select: [
      ...['Timestamp', 'SpanId', 'ParentSpanId', 'ServiceName', 'SpanName', 'SpanKind', 'StatusCode'],
      ...['Duration / 1e6 AS duration_ms', 'SpanAttributes', 'ResourceAttributes'],
    ],
    from: table,
    where: [ofWorkspace(scope), `TraceId = ${quoted(id)}`],
    rest: ['ORDER BY Timestamp, SpanId', 'LIMIT 1 BY SpanId'],
  });

/** Everything that was sent with one span. */
export const spanSql = (trace: string, span: string, scope: SqlScope): string =>
  statement({
    select: [
      ...['Timestamp', 'SpanName', 'StatusMessage', 'SpanAttributes', 'ResourceAttributes', 'ScopeName'],
      ...['Events.Timestamp', 'Events.Name', 'Events.Attributes'].map((column) => `\`${column}\``),
      ...['Links.TraceId', 'Links.SpanId', 'Links.Attributes'].map((column) => `\`${column}\``),
    ],
    from: table,
    where: [ofWorkspace(scope), `TraceId = ${quoted(trace)}`, `SpanId = ${quoted(span)}`],
    rest: ['LIMIT 1'],
  });

function conditionsOf(filter: TraceFilter, scope: SqlScope): readonly string[] {
  const { spans, application, operation, status, attribute, min_ms: shortest, max_ms: longest } = filter;
  return [
    ...inScope('Timestamp', scope),
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
  const value = attribute.slice(sign + 1);
  const found = (map: string): string => {
    const hasKey = `has(mapKeys(${map}), ${key})`;
    if (sign === -1) return hasKey;
    // ClickHouse returns an empty value for a missing key.
    return `${value === '' ? `${hasKey} AND ` : ''}${map}[${key}] = ${quoted(value)}`;
  };
  return `(${['SpanAttributes', 'ResourceAttributes'].map(found).join(' OR ')})`;
}
