import { inScope, ofWorkspace, quoted, statement, stepOf, type SqlScope } from '../../shared/sql-text.js';
import type { Subject } from './figures.js';
import { fingerprintSql, shapeSql } from './shape-sql.js';

export const ofCluster = (uuid: string): string => `cluster_uuid = ${quoted(uuid)}`;

/** Whether the cluster's figure is a sum over its nodes. */
const isTraffic = (figure: string): boolean =>
  /^(queries|fetches|gets|indexed|deletes|search_open)_/.test(figure);

const sources = {
  cluster: { source: 'cluster_overview', lines: [] },
  nodes: { source: 'cluster_nodes', lines: ['node_id'] },
  indices: { source: 'cluster_indices', lines: ['`index`'] },
} as const;

interface Drawn {
  readonly uuid: string;
  readonly of: Subject;
  readonly figure: string;
  /** The id of the only line to draw; empty for all lines. */
  readonly line: string;
}

/** The query behind a figure over time, in steps of this many seconds. */
export function seriesSql({ uuid, of, figure, line }: Drawn, seconds: number, scope: SqlScope): string {
  if (of === 'cluster' && isTraffic(figure)) return trafficSql(uuid, figure, seconds, scope);
  const { source, lines } = sources[of];
  const [table, column] = figure === 'score' ? ['cluster_health', 'at'] : [source, 'slot'];
  // A cluster figure is in the rows of one section, and null in the rows of other sections.
  const isOfSection = of === 'cluster' && figure !== 'score';
  return statement({
    select: [
      `${stepOf(column, seconds)} AS step`,
      ...lines,
      ...(of === 'nodes' ? ['any(name) AS name'] : []),
      ...[`avg(${figure}) AS mean`, `min(${figure}) AS lowest`, `max(${figure}) AS highest`],
    ],
    from: `telltale.${table}`,
    where: [
      ...[...inScope(column, scope), ofCluster(uuid)],
      ...(isOfSection ? [`${figure} IS NOT NULL`] : []),
      ...(line === '' ? [] : lines.map((id) => `${id} = ${quoted(line)}`)),
    ],
    rest: [`GROUP BY ${['step', ...lines].join(', ')}`, `ORDER BY ${['step', ...lines].join(', ')}`],
  });
}

/** A snapshot's sum is null if a node lacks the figure or was left out: it would be too low. */
const trafficSql = (uuid: string, figure: string, seconds: number, scope: SqlScope): string =>
  [
    `SELECT ${stepOf('slot', seconds)} AS step, avg(total) AS mean, min(total) AS lowest, max(total) AS highest`,
    'FROM (',
    statement({
      select: [
        'slot',
        `countIf(isNull(${figure})) > 0 OR max(partial) OR uniqExact(part) < any(parts) OR slot IN (${cutSlots(uuid, scope)}) AS is_part`,
        `if(is_part, NULL, sum(${figure})) AS total`,
      ],
      from: 'telltale.cluster_nodes',
      where: [...inScope('slot', scope), ofCluster(uuid)],
      rest: ['GROUP BY slot'],
    }).replaceAll(/^/gm, '    '),
    ')',
    'GROUP BY step',
    'ORDER BY step',
  ].join('\n');

/** Snapshots of clusters with more nodes than the agent may list. */
const cutSlots = (uuid: string, scope: SqlScope): string =>
  `SELECT slot FROM telltale.cluster_overview WHERE ${[...inScope('slot', scope), ofCluster(uuid)].join(' AND ')} AND section = 'nodes' AND nodes_cut > 0`;

export interface SlowFilter {
  readonly index: string;
  readonly node: string;
  readonly kind: string;
  readonly min_took_ms: string;
  readonly shape: string;
}

const slowEntries = 'telltale.slow_operation_entries';

const slowConditions = (uuid: string, filter: SlowFilter, scope: SqlScope): readonly string[] => [
  ...inScope('at', scope),
  ofCluster(uuid),
  ...(filter.index === '' ? [] : [`\`index\` = ${quoted(filter.index)}`]),
  ...(filter.node === '' ? [] : [`node_name = ${quoted(filter.node)}`]),
  ...(filter.kind === '' ? [] : [`kind = ${quoted(filter.kind)}`]),
  ...(filter.min_took_ms === '' ? [] : [`took_ms >= ${Number(filter.min_took_ms)}`]),
  ...(filter.shape === '' ? [] : [`${fingerprintSql} = ${quoted(filter.shape)}`]),
];

/** Slow operations one by one. */
export const slowSql = (uuid: string, filter: SlowFilter, sort: string, scope: SqlScope): string =>
  statement({
    select: [
      ...['at', 'took_ms', 'kind', 'phase', '`index`', 'shard', 'node_name'],
      ...['total_hits', 'total_hits_at_least', 'query', 'query_cut'],
      ...['withheld', 'source_bytes', 'opaque_id', '`user`', 'trace_id'],
    ],
    from: slowEntries,
    where: slowConditions(uuid, filter, scope),
    rest: [`ORDER BY ${sort === 'slowest' ? 'took_ms DESC, ' : ''}at DESC, id DESC`, 'LIMIT 100'],
  });

/** Slow operations by the shape of their query. */
export const shapesSql = (uuid: string, filter: SlowFilter, scope: SqlScope): string =>
  statement({
    select: [
      `${fingerprintSql} AS fingerprint`,
      ...['kind', 'phase', `any(${shapeSql}) AS shape`, 'count() AS entries', 'sum(took_ms) AS total_ms'],
      ...['quantilesTDigest(0.5, 0.95, 0.99)(took_ms) AS p50_p95_p99_ms', 'max(took_ms) AS longest'],
      'arraySort(groupUniqArray(10)(`index`)) AS indices',
    ],
    from: slowEntries,
    where: slowConditions(uuid, filter, scope),
    rest: ['GROUP BY fingerprint, kind, phase', 'ORDER BY total_ms DESC, fingerprint', 'LIMIT 100'],
  });

/** The number of slow operations over time. */
export const slowCountsSql = (uuid: string, filter: SlowFilter, seconds: number, scope: SqlScope): string =>
  statement({
    select: [
      `${stepOf('at', seconds)} AS step`,
      ...["countIf(kind = 'search') AS search", "countIf(kind = 'indexing') AS indexing"],
    ],
    from: slowEntries,
    where: slowConditions(uuid, filter, scope),
    rest: ['GROUP BY step', 'ORDER BY step'],
  });

/** The clusters of the last 30 days, with the last score of each. */
export const clustersSql = (scope: SqlScope): string =>
  statement({
    select: [
      // In a tuple, because argMax skips nulls: it would return the last known state instead of unknown.
      ...['cluster_uuid', 'argMax(cluster_name, at) AS name', 'argMax(tuple(status), at).1 AS last_status'],
      ...['argMax(tuple(score), at).1 AS last_score', 'max(at) AS evaluated_at'],
      'argMax(`deductions.reason`, at) AS reasons',
    ],
    from: 'telltale.cluster_health',
    where: [ofWorkspace(scope), 'at > now() - INTERVAL 30 DAY'],
    rest: ['GROUP BY cluster_uuid', 'ORDER BY last_score NULLS FIRST, cluster_uuid'],
  });
