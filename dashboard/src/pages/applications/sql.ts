import { earlierBy, inScope, quoted, statement, type SqlScope } from '../../shared/sql-text.js';

const table = 'telltale.otel_traces';
const figures = [
  'count() AS requests',
  "countIf(StatusCode = 'Error') AS errors",
  'arrayMap(ns -> ns / 1e6, quantilesTDigest(0.5, 0.95, 0.99)(Duration)) AS p50_p95_p99_ms',
];

const entries = (scope: SqlScope, application?: string): readonly string[] => [
  'is_entry',
  ...inScope('Timestamp', scope),
  ...(application === undefined ? [] : [`application = ${quoted(application)}`]),
];

/** The query behind the list, for an analyst. */
export const applicationsSql = (scope: SqlScope): string =>
  statement({
    select: ['application', ...figures],
    from: table,
    where: entries(scope),
    rest: ['GROUP BY application', 'ORDER BY requests DESC', 'LIMIT 200'],
  });

/** The same for one application's operations. */
export const operationsSql = (application: string, scope: SqlScope): string =>
  statement({
    select: ['ServiceName', 'SpanName', ...figures],
    from: table,
    where: entries(scope, application),
    rest: ['GROUP BY ServiceName, SpanName', 'ORDER BY requests DESC', 'LIMIT 200'],
  });

export const slowestSql = (application: string, scope: SqlScope): string =>
  statement({
    select: [
      'Timestamp',
      'TraceId',
      'SpanId',
      'ServiceName',
      'SpanName',
      'StatusCode',
      'Duration / 1e6 AS ms',
    ],
    from: table,
    where: entries(scope, application),
    rest: ['ORDER BY Duration DESC, Timestamp DESC', 'LIMIT 20'],
  });

/**
 * Which application calls which: spans of one application whose parent is a span of another. Parents are
 * searched from ten minutes before the range.
 */
export const callsSql = (scope: SqlScope): string => {
  const earlier = earlierBy(600_000, scope);
  const spans = (columns: string, where: readonly string[]): string =>
    `(SELECT ${columns} FROM ${table} WHERE ${where.join(' AND ')} LIMIT 1 BY TraceId, SpanId)`;
  return [
    'SELECT',
    `    ${['caller.application AS calling', 'called.application AS called_application'].join(',\n    ')},`,
    '    count() AS calls,',
    "    countIf(called.StatusCode = 'Error') AS errors,",
    '    arrayMap(ns -> ns / 1e6, quantilesTDigest(0.5, 0.95, 0.99)(called.Duration)) AS p50_p95_p99_ms',
    `FROM ${spans('TraceId, SpanId, application', inScope('Timestamp', earlier))} AS caller`,
    `INNER JOIN ${spans('TraceId, SpanId, ParentSpanId, application, StatusCode, Duration', [...entries(scope), "ParentSpanId != ''"])} AS called`,
    '    ON caller.TraceId = called.TraceId AND caller.SpanId = called.ParentSpanId',
    'WHERE caller.application != called.application',
    'GROUP BY calling, called_application',
    'ORDER BY calls DESC',
    'LIMIT 500',
  ].join('\n');
};
