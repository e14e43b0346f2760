import { timestampSql, ofWorkspace, quoted, statement, type SqlScope } from '../../shared/sql-text.js';
import { ofCluster } from './sql.js';

/** The snapshot of a list. */
interface Snapshot {
  readonly uuid: string;
  /** As in the answer; null if nothing was collected. */
  readonly at: string | null;
}

const inSnapshot = ({ uuid, at }: Snapshot, scope: SqlScope): readonly string[] => [
  ofWorkspace(scope),
  ofCluster(uuid),
  `slot = ${at === null ? 'NULL' : timestampSql(at)}`,
];

const highest = (column: string): string => `${column} DESC NULLS LAST`;

const nodeSorts: Readonly<Record<string, string>> = {
  heap: highest('heap_used_percent'),
  disk: highest('fs_used_ratio'),
  cpu: highest('process_cpu_percent'),
  queries: highest('queries_per_second'),
  query_latency: highest('query_latency_ms'),
};

export const nodesSql = (
  snapshot: Snapshot,
  { role, sort }: { readonly role: string; readonly sort: string },
  scope: SqlScope,
): string =>
  statement({
    select: [
      ...[
        'name',
        'host',
        'roles',
        'heap_used_percent',
        'fs_used_ratio',
        'process_cpu_percent',
        'shards_count',
      ],
      ...['queries_per_second', 'query_latency_ms', 'indexed_per_second', 'gc_share', 'uptime_ms'],
    ],
    from: 'telltale.cluster_nodes',
    where: [...inSnapshot(snapshot, scope), ...(role === '' ? [] : [`has(roles, ${quoted(role)})`])],
    rest: [`ORDER BY ${nodeSorts[sort] ?? 'name, node_id'}`],
  });

export const poolsSql = (snapshot: Snapshot, scope: SqlScope): string =>
  statement({
    select: ['name AS node', ...poolFields.map((field) => `each_${field} AS ${field}`)],
    from: `telltale.cluster_nodes\nARRAY JOIN ${poolFields.map((field) => `\`thread_pools.${field}\` AS each_${field}`).join(', ')}`,
    where: inSnapshot(snapshot, scope),
    rest: ['ORDER BY rejections DESC NULLS LAST, queue_ratio DESC NULLS LAST'],
  });

export const breakersSql = (snapshot: Snapshot, scope: SqlScope): string =>
  statement({
    select: ['name AS node', ...breakerFields.map((field) => `each_${field} AS ${field}`)],
    from: `telltale.cluster_nodes\nARRAY JOIN ${breakerFields.map((field) => `\`circuit_breakers.${field}\` AS each_${field}`).join(', ')}`,
    where: inSnapshot(snapshot, scope),
    rest: ['ORDER BY trips DESC NULLS LAST, utilisation DESC NULLS LAST'],
  });

const poolFields = [
  ...['pool', 'active', 'threads', 'threads_max', 'queue', 'queue_ratio', 'rejections', 'rejected'],
  'completed_per_second',
];
const breakerFields = ['breaker', 'estimated_bytes', 'limit_bytes', 'utilisation', 'trips', 'tripped'];

const indexSorts: Readonly<Record<string, string>> = {
  name: '`index`',
  docs: highest('docs_count'),
  queries: highest('queries_per_second'),
  query_latency: highest('query_latency_ms'),
  indexed: highest('indexed_per_second'),
  indexing_latency: highest('indexing_latency_ms'),
};

interface IndexFilter {
  readonly prefix: string;
  readonly health: string;
  readonly slow: string;
  readonly sort: string;
}

export const indicesSql = (
  snapshot: Snapshot,
  { prefix, health, slow, sort }: IndexFilter,
  scope: SqlScope,
): string =>
  statement({
    select: [
      ...['`index`', 'health', 'state', 'store_bytes', 'docs_count', 'primaries', 'replicas'],
      ...['queries_per_second', 'query_latency_ms', 'indexed_per_second', 'slow_search', 'slow_indexing'],
    ],
    from: 'telltale.cluster_indices',
    where: [
      ...inSnapshot(snapshot, scope),
      ...(prefix === '' ? [] : [`startsWith(\`index\`, ${quoted(prefix)})`]),
      ...(health === '' ? [] : [`health = ${quoted(health)}`]),
      ...(slow === '' ? [] : ['(ifNull(slow_search, false) OR ifNull(slow_indexing, false))']),
    ],
    rest: [`ORDER BY ${indexSorts[sort] ?? `${highest('store_bytes')}, \`index\``}`, 'LIMIT 200'],
  });

interface ShardFilter {
  readonly state: string;
  readonly index: string;
  readonly node: string;
}

export const shardsSql = (snapshot: Snapshot, { state, index, node }: ShardFilter, scope: SqlScope): string =>
  statement({
    select: [
      ...['`index`', 'shard', '`primary`', 'state', 'node', 'relocating_to_node', 'docs', 'store_bytes'],
      ...['unassigned_reason', 'unassigned_at', 'failed_attempts', 'recommendation', 'explanation'],
    ],
    from: 'telltale.cluster_shards',
    where: [
      ...inSnapshot(snapshot, scope),
      ...(state === '' ? [] : [`state = ${quoted(state)}`]),
      ...(index === '' ? [] : [`\`index\` = ${quoted(index)}`]),
      ...(node === '' ? [] : [`node = ${quoted(node)}`]),
    ],
    rest: [
      "ORDER BY indexOf(['UNASSIGNED', 'INITIALIZING', 'RELOCATING', 'STARTED'], assumeNotNull(state)),",
      "    state = 'UNASSIGNED' AND NOT `primary`, `index`, shard, `primary` DESC",
      'LIMIT 200',
    ],
  });

export const causesSql = (snapshot: Snapshot, scope: SqlScope): string =>
  statement({
    select: [
      ...['unassigned_reason', 'can_allocate', 'recommendation_code', 'any(recommendation) AS advice'],
      ...['any(explanation) AS said', 'count() AS shards', 'countIf(`primary`) AS primaries'],
      ...['arraySort(groupUniqArray(10)(`index`)) AS indices', 'min(unassigned_at) AS since'],
    ],
    from: 'telltale.cluster_shards',
    where: [...inSnapshot(snapshot, scope), "state = 'UNASSIGNED'"],
    rest: [
      'GROUP BY unassigned_reason, can_allocate, recommendation_code',
      'ORDER BY primaries DESC, shards DESC',
    ],
  });

export const tasksSql = (snapshot: Snapshot, scope: SqlScope): string =>
  statement({
    select: ['kind', 'action', 'task_id', 'running_ms', 'progress_ratio', 'from_indices', 'to_index'],
    from: 'telltale.cluster_tasks',
    where: [...inSnapshot(snapshot, scope), "section = 'tasks'"],
    rest: [`ORDER BY ${highest('running_ms')}, task_id`],
  });

export const pendingSql = (snapshot: Snapshot, scope: SqlScope): string =>
  statement({
    select: ['`source`', 'queued_ms', 'priority', 'executing', 'insert_order'],
    from: 'telltale.cluster_tasks',
    where: [...inSnapshot(snapshot, scope), "section = 'pending_tasks'"],
    rest: [`ORDER BY ${highest('queued_ms')}, insert_order`],
  });

export const recoveriesSql = (snapshot: Snapshot, scope: SqlScope): string =>
  statement({
    select: [
      ...[
        '`index`',
        'shard',
        '`primary`',
        '`type`',
        'stage',
        'bytes_percent',
        'bytes_recovered',
        'bytes_total',
      ],
      ...['bytes_per_second', 'total_time_ms', 'source_node', 'target_node'],
    ],
    from: 'telltale.cluster_recoveries',
    where: inSnapshot(snapshot, scope),
    rest: [`ORDER BY ${highest('total_time_ms')}, \`index\`, shard`],
  });

const stream =
  'Tuple(data_stream String, backing_indices Nullable(Float64), store_bytes Nullable(Float64), newest_document_at Nullable(Int64))';

/** Data streams have no separate table: the overview table has them as the agent sent them. */
export const streamsSql = (snapshot: Snapshot, scope: SqlScope): string =>
  [
    'SELECT each.data_stream, each.backing_indices, each.store_bytes AS store_bytes, each.newest_document_at',
    'FROM (',
    statement({
      select: [`arrayJoin(JSONExtract(ifNull(details, ''), 'data_streams', 'Array(${stream})')) AS each`],
      from: 'telltale.cluster_overview',
      where: [...inSnapshot(snapshot, scope), "section = 'data_streams'"],
      rest: [],
    }).replaceAll(/^/gm, '    '),
    ')',
    `ORDER BY ${highest('store_bytes')}`,
  ].join('\n');
