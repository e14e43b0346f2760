import assert from 'node:assert/strict';
import { indexColumns } from '../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../schemas/cluster-rows/node-columns.js';
import { healthColumns } from '../../schemas/cluster-rows/overview-columns.js';
import { shardColumns } from '../../schemas/cluster-rows/shard-columns.js';
import { answersOf, type ClusterAnswers } from './cluster-answers.js';
import { healthRules, indexRules, nodeRules, shardRules, statsColumns, statsRules } from './column-rules.js';
import { sameColumns } from './same-columns.js';
import { watchedIndex, type WatchedCluster } from './watched-clusters.js';

type Query = <Row>(sql: string) => Promise<readonly Row[]>;
type Row = Readonly<Record<string, unknown>>;

interface NodeStats {
  readonly name: string;
  readonly roles: readonly string[];
  readonly jvm: { readonly mem: { readonly heap_max_in_bytes: number } };
  readonly os: { readonly mem: { readonly total_in_bytes: number } };
  readonly process: { readonly max_file_descriptors: number };
  readonly fs: { readonly total: { readonly total_in_bytes: number } };
  readonly thread_pool: Readonly<Record<string, { readonly threads: number }>>;
  readonly breakers: Readonly<Record<string, { readonly limit_size_in_bytes: number }>>;
}

const newest = (uuid: string, more: string): string =>
  `WHERE cluster_uuid = '${uuid}' AND ${more} ORDER BY slot DESC LIMIT 1`;

/** Holds what is stored of a cluster, as it is now, to what the cluster itself answers, section by section. */
export async function sameNumbers(cluster: WatchedCluster, query: Query): Promise<void> {
  await sameHealth(cluster, query);
  await sameIndex(cluster, query);
  await sameShards(cluster, query);
  await sameNode(cluster, query);
  await sameSettings(cluster, query);
}

/** Every column, on a cluster that has rested since it answered `before`; the rows were collected since. */
export async function sameEverything(
  cluster: WatchedCluster,
  before: ClusterAnswers,
  query: Query,
): Promise<void> {
  const last = async (table: string, more: string): Promise<Row> => {
    const [row] = await query<Row>(`SELECT * FROM telltale.${table} ${newest(cluster.uuid, more)}`);
    return row ?? assert.fail(`${table} has no row where ${more}`);
  };
  const [node, index, shard, health, stats] = [
    await last('cluster_nodes', 'version IS NOT NULL'),
    await last('cluster_indices', `\`index\` = '${watchedIndex}'`),
    await last('cluster_shards', `\`index\` = '${watchedIndex}'`),
    await last('cluster_overview', "section = 'health'"),
    await last('cluster_overview', "section = 'cluster_stats'"),
  ];
  const moments = [before, await answersOf(cluster)] as const;
  sameColumns('cluster_nodes', nodeColumns, nodeRules, node, moments);
  sameColumns('cluster_indices', indexColumns, indexRules, index, moments);
  sameColumns('cluster_shards', shardColumns, shardRules, shard, moments);
  sameColumns('cluster_overview (health)', healthColumns, healthRules, health, moments);
  sameColumns('cluster_overview (cluster_stats)', statsColumns, statsRules, stats, moments);
}

async function sameHealth({ uuid, ask }: WatchedCluster, query: Query): Promise<void> {
  const said = (await ask('GET', '/_cluster/health')) as Row;
  const [row] = await query<Row>(
    `SELECT * FROM telltale.cluster_overview ${newest(uuid, "section = 'health'")}`,
  );
  assert.deepEqual(
    [row?.['status'], row?.['nodes'], row?.['data_nodes'], row?.['active_primaries'], row?.['active_shards']],
    [
      said['status'],
      said['number_of_nodes'],
      said['number_of_data_nodes'],
      said['active_primary_shards'],
      said['active_shards'],
    ],
  );
  assert.deepEqual(
    [row?.['relocating_shards'], row?.['initializing_shards'], row?.['unassigned_shards']],
    [said['relocating_shards'], said['initializing_shards'], said['unassigned_shards']],
  );
  assert.ok(row);
  assert.equal(row['active_shards_percent'], said['active_shards_percent_as_number']);
  const [master] = (await ask('GET', '/_cat/master?format=json')) as readonly Row[];
  assert.equal(row['master_node'], master?.['node']);
}

interface IndexCounters {
  readonly docs: { readonly count: number };
  readonly indexing: { readonly index_total: number };
  readonly search: { readonly query_total: number; readonly fetch_total: number };
}

async function sameIndex({ uuid, ask }: WatchedCluster, query: Query): Promise<void> {
  const stats = (await ask('GET', `/${watchedIndex}/_stats`)) as {
    readonly indices: Readonly<Record<string, { readonly uuid: string; readonly total: IndexCounters }>>;
  };
  const { uuid: indexUuid, total } = stats.indices[watchedIndex] ?? assert.fail('it is there');
  const rows = await query<Row>(
    `SELECT uuid, health, state, primaries, replicas, docs_count, indexing_total, queries_total, fetches_total
     FROM telltale.cluster_indices ${newest(uuid, `\`index\` = '${watchedIndex}'`)}`,
  );
  assert.deepEqual(rows, [
    {
      uuid: indexUuid,
      health: 'green',
      state: 'open',
      primaries: 1,
      replicas: 0,
      docs_count: total.docs.count,
      indexing_total: total.indexing.index_total,
      queries_total: total.search.query_total,
      fetches_total: total.search.fetch_total,
    },
  ]);
}

async function sameShards({ uuid, ask }: WatchedCluster, query: Query): Promise<void> {
  const said = (await ask('GET', `/_cat/shards/${watchedIndex}?format=json&bytes=b`)) as readonly Row[];
  const rows = await query<Row>(
    `SELECT shard, primary, state, node, docs, store_bytes FROM telltale.cluster_shards
     WHERE cluster_uuid = '${uuid}' AND \`index\` = '${watchedIndex}' ORDER BY slot DESC LIMIT 1 BY shard`,
  );
  const listed = said.map((row) => ({
    shard: Number(row['shard']),
    primary: row['prirep'] === 'p',
    state: row['state'],
    node: row['node'],
    docs: Number(row['docs']),
    store_bytes: Number(row['store']),
  }));
  assert.deepEqual(rows, listed);
}

async function sameNode({ uuid, ask }: WatchedCluster, query: Query): Promise<void> {
  const { nodes } = (await ask('GET', '/_nodes/stats')) as { nodes: Readonly<Record<string, NodeStats>> };
  const [[id, said] = assert.fail('there is a node')] = Object.entries(nodes);
  const [row] = await query<Row>(`SELECT * FROM telltale.cluster_nodes ${newest(uuid, 'true')}`);
  assert.ok(row);
  assert.deepEqual(
    [row['node_id'], row['name'], row['heap_max_bytes'], row['memory_total_bytes'], row['fs_total_bytes']],
    [id, said.name, said.jvm.mem.heap_max_in_bytes, said.os.mem.total_in_bytes, said.fs.total.total_in_bytes],
  );
  assert.equal(row['max_file_descriptors'], said.process.max_file_descriptors);
  assert.deepEqual(row['roles'], [...said.roles].sort());
  const pools = row['thread_pools.pool'] as readonly string[];
  assert.deepEqual([...pools].sort(), Object.keys(said.thread_pool).sort());
  const breakers = row['circuit_breakers.breaker'] as readonly string[];
  const limits = row['circuit_breakers.limit_bytes'] as readonly (number | null)[];
  for (const [name, { limit_size_in_bytes: limit }] of Object.entries(said.breakers)) {
    // 8.x spells one without its underscores: it is one series here.
    const told = name === 'inflight_requests' ? 'in_flight_requests' : name;
    if (limit > 0) assert.equal(limits[breakers.indexOf(told)], limit, name);
  }
}

/** What the whole cluster holds, and the disk watermarks that it goes by. */
async function sameSettings({ uuid, ask }: WatchedCluster, query: Query): Promise<void> {
  const told = async (section: string): Promise<Row> => {
    const [row] = await query<Row>(
      `SELECT * FROM telltale.cluster_overview ${newest(uuid, `section = '${section}'`)}`,
    );
    return row ?? assert.fail(`${section} was not collected`);
  };
  const stats = (await ask('GET', '/_cluster/stats')) as {
    readonly nodes: { readonly versions: readonly string[] };
  };
  assert.deepEqual((await told('cluster_stats'))['versions'], stats.nodes.versions);
  const path = 'cluster.routing.allocation.disk.watermark.low';
  const { defaults } = (await ask('GET', '/_cluster/settings?include_defaults=true&flat_settings=true')) as {
    readonly defaults: Readonly<Record<string, string>>;
  };
  const marks = JSON.parse(String((await told('watermarks'))['details'])) as { low: { text: string } };
  assert.equal(marks.low.text, defaults[path]);
}
