import { indexFigures, primaryFigures } from '../../schemas/cluster-rows/index-columns.js';
import { nodeFigures } from '../../schemas/cluster-rows/node-columns.js';
import { operationFigures } from '../../schemas/cluster-rows/operation-figures.js';
import { healthColumns, overviewColumns } from '../../schemas/cluster-rows/overview-columns.js';
import { at, type ClusterAnswers } from './cluster-answers.js';
import type { ColumnRules, Counterpart } from './same-columns.js';

/** `column: 'where.it.is'`, below one part of the answers. */
type Places = Readonly<Record<string, string>>;

const below = (from: (answers: ClusterAnswers) => unknown, places: Places): Record<string, Counterpart> =>
  Object.fromEntries(
    Object.entries(places).map(([column, path]) => [
      column,
      (answers) => at(from(answers), ...path.split('.')),
    ]),
  );

const because = (reason: string, columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, reason]));

const computed = 'computed from two snapshots, or from two columns of one';

/** The same for `_cat`, whose keys have dots. */
const flat = (from: (answers: ClusterAnswers) => unknown, keys: Places): Record<string, Counterpart> =>
  Object.fromEntries(
    Object.entries(keys).map(([column, key]) => [column, (answers) => at(from(answers), key)]),
  );

const node = (answers: ClusterAnswers): unknown => answers.node;
const about = (answers: ClusterAnswers): unknown => answers.about;

type Named = readonly (readonly [string, unknown])[];

/** What a node has several of, in the order in which its answer has them. */
const namedBelow =
  (...path: readonly string[]) =>
  (answers: ClusterAnswers): Named =>
    Object.entries(at(answers.node, ...path) ?? {});

const gc = namedBelow('jvm', 'gc', 'collectors');
const pools = namedBelow('jvm', 'mem', 'pools');
const paths = namedBelow('fs', 'data');
const threadPools = namedBelow('thread_pool');
const breakers = namedBelow('breakers');

const listOf =
  (
    all: (answers: ClusterAnswers) => Named,
    value: (name: string, one: unknown, answers: ClusterAnswers) => unknown,
  ): Counterpart =>
  (answers) =>
    all(answers).map(([name, one]) => value(name, one, answers) ?? null);

/** Nested columns: of each the name, where it has one, and what is at a key. */
function lists(
  group: string,
  nameColumn: string | null,
  all: (answers: ClusterAnswers) => Named,
  keys: Places,
): Record<string, Counterpart> {
  const columns = Object.entries(keys).map(([column, key]) => [
    `${group}.${column}`,
    listOf(all, (_, one) => at(one, key)),
  ]);
  const names = nameColumn === null ? [] : [[`${group}.${nameColumn}`, listOf(all, (name) => name)]];
  return Object.fromEntries([...names, ...columns]) as Record<string, Counterpart>;
}

function limitOf({ about: told }: ClusterAnswers, pool: string, key: string): unknown {
  const limit = at(told, 'thread_pool', pool, key);
  return typeof limit === 'number' && limit >= 0 ? limit : null;
}

const rolesOf = (answers: ClusterAnswers): readonly string[] =>
  (at(answers.node, 'roles') as readonly string[]).toSorted();

/** Counters and sizes of operations, in a node's statistics and in an index's alike. */
const operations: Places = {
  indexing_total: 'indexing.index_total',
  indexing_time_ms: 'indexing.index_time_in_millis',
  indexing_current: 'indexing.index_current',
  indexing_failed: 'indexing.index_failed',
  indexing_version_conflicts: 'indexing.index_failed_due_to_version_conflict',
  indexing_throttle_time_ms: 'indexing.throttle_time_in_millis',
  indexing_is_throttled: 'indexing.is_throttled',
  deletes_total: 'indexing.delete_total',
  deletes_time_ms: 'indexing.delete_time_in_millis',
  gets_total: 'get.total',
  gets_time_ms: 'get.time_in_millis',
  gets_missing_total: 'get.missing_total',
  gets_current: 'get.current',
  search_open_contexts: 'search.open_contexts',
  queries_total: 'search.query_total',
  queries_time_ms: 'search.query_time_in_millis',
  queries_current: 'search.query_current',
  queries_failed: 'search.query_failure',
  fetches_total: 'search.fetch_total',
  fetches_time_ms: 'search.fetch_time_in_millis',
  fetches_current: 'search.fetch_current',
  fetches_failed: 'search.fetch_failure',
  scrolls_total: 'search.scroll_total',
  scrolls_time_ms: 'search.scroll_time_in_millis',
  scrolls_current: 'search.scroll_current',
  suggests_total: 'search.suggest_total',
  suggests_time_ms: 'search.suggest_time_in_millis',
  suggests_current: 'search.suggest_current',
  merges_current: 'merges.current',
  merges_current_bytes: 'merges.current_size_in_bytes',
  merges_total: 'merges.total',
  merges_time_ms: 'merges.total_time_in_millis',
  merges_docs: 'merges.total_docs',
  merges_bytes: 'merges.total_size_in_bytes',
  merges_stopped_time_ms: 'merges.total_stopped_time_in_millis',
  merges_throttled_time_ms: 'merges.total_throttled_time_in_millis',
  refreshes_total: 'refresh.total',
  refreshes_time_ms: 'refresh.total_time_in_millis',
  flushes_total: 'flush.total',
  flushes_time_ms: 'flush.total_time_in_millis',
  segments_count: 'segments.count',
  segments_memory_bytes: 'segments.memory_in_bytes',
  segments_terms_memory_bytes: 'segments.terms_memory_in_bytes',
  segments_stored_fields_memory_bytes: 'segments.stored_fields_memory_in_bytes',
  segments_term_vectors_memory_bytes: 'segments.term_vectors_memory_in_bytes',
  segments_norms_memory_bytes: 'segments.norms_memory_in_bytes',
  segments_points_memory_bytes: 'segments.points_memory_in_bytes',
  segments_doc_values_memory_bytes: 'segments.doc_values_memory_in_bytes',
  segments_fixed_bit_set_bytes: 'segments.fixed_bit_set_memory_in_bytes',
  translog_operations: 'translog.operations',
  translog_bytes: 'translog.size_in_bytes',
  translog_uncommitted_operations: 'translog.uncommitted_operations',
  translog_uncommitted_bytes: 'translog.uncommitted_size_in_bytes',
  query_cache_bytes: 'query_cache.memory_size_in_bytes',
  query_cache_hits: 'query_cache.hit_count',
  query_cache_misses: 'query_cache.miss_count',
  query_cache_evictions: 'query_cache.evictions',
  request_cache_bytes: 'request_cache.memory_size_in_bytes',
  request_cache_hits: 'request_cache.hit_count',
  request_cache_misses: 'request_cache.miss_count',
  request_cache_evictions: 'request_cache.evictions',
  fielddata_bytes: 'fielddata.memory_size_in_bytes',
  fielddata_evictions: 'fielddata.evictions',
  completion_bytes: 'completion.size_in_bytes',
  bulks_total: 'bulk.total_operations',
  bulks_time_ms: 'bulk.total_time_in_millis',
  bulks_bytes: 'bulk.total_size_in_bytes',
  recovery_throttle_time_ms: 'recovery.throttle_time_in_millis',
};

/** Buffers of the index writer, which Lucene gives back when it likes. */
const unsteadyOperations: Places = {
  segments_index_writer_bytes: 'segments.index_writer_memory_in_bytes',
  segments_version_map_bytes: 'segments.version_map_memory_in_bytes',
};

export const nodeRules: ColumnRules = {
  same: {
    ...below(node, {
      name: 'name',
      host: 'host',
      measured_at: 'timestamp',
      uptime_ms: 'jvm.uptime_in_millis',
      heap_max_bytes: 'jvm.mem.heap_max_in_bytes',
      threads_peak: 'jvm.threads.peak_count',
      process_cpu_time_ms: 'process.cpu.total_in_millis',
      max_file_descriptors: 'process.max_file_descriptors',
      memory_total_bytes: 'os.mem.total_in_bytes',
      swap_total_bytes: 'os.swap.total_in_bytes',
      cgroup_cpu_quota_micros: 'os.cgroup.cpu.cfs_quota_micros',
      cgroup_cpu_throttled_count: 'os.cgroup.cpu.stat.number_of_times_throttled',
      cgroup_cpu_throttled_nanos: 'os.cgroup.cpu.stat.time_throttled_nanos',
      fs_total_bytes: 'fs.total.total_in_bytes',
      io_read_operations: 'fs.io_stats.total.read_operations',
      io_write_operations: 'fs.io_stats.total.write_operations',
      io_read_kilobytes: 'fs.io_stats.total.read_kilobytes',
      io_write_kilobytes: 'fs.io_stats.total.write_kilobytes',
      transport_open: 'transport.server_open',
      transport_rx_count: 'transport.rx_count',
      transport_rx_bytes: 'transport.rx_size_in_bytes',
      transport_tx_count: 'transport.tx_count',
      transport_tx_bytes: 'transport.tx_size_in_bytes',
      http_opened_total: 'http.total_opened',
      indexing_pressure_limit_bytes: 'indexing_pressure.memory.limit_in_bytes',
      indexing_pressure_coordinating_rejections: 'indexing_pressure.memory.total.coordinating_rejections',
      indexing_pressure_primary_rejections: 'indexing_pressure.memory.total.primary_rejections',
      indexing_pressure_replica_rejections: 'indexing_pressure.memory.total.replica_rejections',
      indexing_pressure_bytes: 'indexing_pressure.memory.current.all_in_bytes',
    }),
    ...below((answers) => at(answers.node, 'indices'), {
      ...operations,
      docs_count: 'docs.count',
      docs_deleted: 'docs.deleted',
      store_bytes: 'store.size_in_bytes',
      shards_count: 'shard_stats.total_count',
    }),
    ...below(about, {
      jvm_started_at: 'jvm.start_time_in_millis',
      version: 'version',
      ip: 'ip',
      transport_address: 'transport_address',
      http_address: 'http.publish_address',
      os_name: 'os.pretty_name',
      processors: 'os.available_processors',
      allocated_processors: 'os.allocated_processors',
      jvm_version: 'jvm.version',
    }),
    node_id: ({ nodeId }) => nodeId,
    roles: rolesOf,
    incarnation: (answers) => `${answers.nodeId}:${String(at(answers.about, 'jvm', 'start_time_in_millis'))}`,
    is_master: ({ master, nodeId }) => at(master, 'id') === nodeId,
    is_master_eligible: (answers) => rolesOf(answers).includes('master'),
    is_data: (answers) => rolesOf(answers).includes('data'),
    attributes: (answers) =>
      Object.fromEntries(
        Object.entries(at(answers.about, 'attributes') ?? {}).filter(
          ([key]) => !/^(xpack|ml|transform)\./.test(key),
        ),
      ),
    ...lists('garbage_collectors', 'collector', gc, {
      count: 'collection_count',
      time_ms: 'collection_time_in_millis',
    }),
    ...lists('memory_pools', 'pool', pools, { peak_used_bytes: 'peak_used_in_bytes' }),
    'memory_pools.max_bytes': listOf(pools, (_, pool) => at(pool, 'max_in_bytes') || null),
    ...lists('data_paths', null, paths, {
      path: 'path',
      mount: 'mount',
      type: 'type',
      total_bytes: 'total_in_bytes',
    }),
    ...lists('thread_pools', 'pool', threadPools, {
      rejected: 'rejected',
      completed: 'completed',
      largest: 'largest',
    }),
    'thread_pools.threads_max': listOf(
      threadPools,
      (pool, _, answers) => limitOf(answers, pool, 'max') ?? limitOf(answers, pool, 'size'),
    ),
    'thread_pools.queue_size': listOf(threadPools, (pool, _, answers) =>
      limitOf(answers, pool, 'queue_size'),
    ),
    'circuit_breakers.breaker': listOf(breakers, (name) =>
      name === 'inflight_requests' ? 'in_flight_requests' : name,
    ),
    'circuit_breakers.limit_bytes': listOf(
      breakers,
      (_, breaker) => at(breaker, 'limit_size_in_bytes') || null,
    ),
    'circuit_breakers.overhead': listOf(breakers, (_, breaker) => at(breaker, 'overhead')),
    'circuit_breakers.tripped': listOf(breakers, (_, breaker) => at(breaker, 'tripped')),
  },
  unsteady: {
    ...below(node, {
      heap_used_bytes: 'jvm.mem.heap_used_in_bytes',
      heap_committed_bytes: 'jvm.mem.heap_committed_in_bytes',
      heap_used_percent: 'jvm.mem.heap_used_percent',
      non_heap_used_bytes: 'jvm.mem.non_heap_used_in_bytes',
      non_heap_committed_bytes: 'jvm.mem.non_heap_committed_in_bytes',
      threads: 'jvm.threads.count',
      process_cpu_percent: 'process.cpu.percent',
      process_virtual_bytes: 'process.mem.total_virtual_in_bytes',
      open_file_descriptors: 'process.open_file_descriptors',
      host_cpu_percent: 'os.cpu.percent',
      load_1m: 'os.cpu.load_average.1m',
      load_5m: 'os.cpu.load_average.5m',
      load_15m: 'os.cpu.load_average.15m',
      memory_free_bytes: 'os.mem.free_in_bytes',
      memory_used_bytes: 'os.mem.used_in_bytes',
      swap_free_bytes: 'os.swap.free_in_bytes',
      swap_used_bytes: 'os.swap.used_in_bytes',
      cgroup_memory_usage_bytes: 'os.cgroup.memory.usage_in_bytes',
      fs_free_bytes: 'fs.total.free_in_bytes',
      fs_available_bytes: 'fs.total.available_in_bytes',
      http_open: 'http.current_open',
    }),
    ...below((answers) => at(answers.node, 'indices'), unsteadyOperations),
  },
  without: {
    ...because(computed, [...nodeFigures, ...operationFigures]),
    ...because(computed, [
      'garbage_collectors.collections',
      'garbage_collectors.pause_ms',
      'garbage_collectors.time_share',
    ]),
    ...because(computed, ['data_paths.used_ratio', 'circuit_breakers.utilisation', 'circuit_breakers.trips']),
    ...because(computed, [
      'thread_pools.saturation',
      'thread_pools.queue_ratio',
      'thread_pools.rejections',
      'thread_pools.completed_per_second',
    ]),
    ...because('goes up and down by itself, one by one', [
      'memory_pools.used_bytes',
      'data_paths.free_bytes',
      'data_paths.available_bytes',
      'thread_pools.threads',
      'thread_pools.active',
      'thread_pools.queue',
      'circuit_breakers.estimated_bytes',
    ]),
    tiers: 'made of the roles, which are compared',
    cgroup_memory_limit_bytes:
      'the cluster has a number too large for JSON where there is no limit, which is null here',
  },
};

export const indexRules: ColumnRules = {
  same: {
    ...below(({ listed }) => listed, {
      index: 'index',
      uuid: 'uuid',
      health: 'health',
      primaries: 'pri',
      replicas: 'rep',
    }),
    ...flat(({ listed }) => listed, {
      state: 'status',
      docs_count: 'docs.count',
      docs_deleted: 'docs.deleted',
      store_bytes: 'store.size',
      primary_store_bytes: 'pri.store.size',
    }),
    ...below((answers) => at(answers.index, 'total'), operations),
    ...below((answers) => at(answers.index, 'primaries'), {
      primary_docs_count: 'docs.count',
      primary_docs_deleted: 'docs.deleted',
      primary_segments_count: 'segments.count',
    }),
  },
  unsteady: below((answers) => at(answers.index, 'total'), unsteadyOperations),
  without: {
    ...because(
      computed,
      indexFigures.filter((figure) => !figure.endsWith('threshold_ms')),
    ),
    ...because(computed, [
      ...operationFigures,
      ...primaryFigures
        .filter((figure) => /_per_second$|_latency_ms$/.test(figure))
        .map((figure) => `primary_${figure}`),
    ]),
    ...because('of integration.json', ['slow_search_threshold_ms', 'slow_indexing_threshold_ms']),
    incarnation: 'a digest of where its shards are',
  },
};

export const shardRules: ColumnRules = {
  same: {
    ...below(({ shard }) => shard, {
      index: 'index',
      shard: 'shard',
      state: 'state',
      node_id: 'id',
      node: 'node',
      docs: 'docs',
      store_bytes: 'store',
    }),
    index_uuid: ({ listed }) => at(listed, 'uuid'),
    primary: ({ shard }) => at(shard, 'prirep') === 'p',
  },
  unsteady: {},
  without: {
    ...because('of a shard that moves', ['relocating_to_node_id', 'relocating_to_node']),
    ...because('of a shard that is unassigned', [
      'unassigned_reason',
      'unassigned_at',
      'unassigned_details',
      'can_allocate',
      'explanation',
      'explained_at',
      'failed_attempts',
      'deciders',
      'recommendation_code',
      'recommendation',
    ]),
  },
};

/** Of the row of the section `health`. */
export const healthRules: ColumnRules = {
  same: {
    ...below(({ health }) => health, {
      status: 'status',
      nodes: 'number_of_nodes',
      data_nodes: 'number_of_data_nodes',
      active_primaries: 'active_primary_shards',
      active_shards: 'active_shards',
      relocating_shards: 'relocating_shards',
      initializing_shards: 'initializing_shards',
      unassigned_shards: 'unassigned_shards',
      delayed_unassigned_shards: 'delayed_unassigned_shards',
      active_shards_percent: 'active_shards_percent_as_number',
      in_flight_fetches: 'number_of_in_flight_fetch',
    }),
    master_node_id: ({ master }) => at(master, 'id'),
    master_node: ({ master }) => at(master, 'node'),
  },
  unsteady: below(({ health }) => health, {
    pending_tasks: 'number_of_pending_tasks',
    pending_tasks_max_wait_ms: 'task_max_waiting_in_queue_millis',
  }),
  without: {
    no_master: 'said where no master answers',
    unassigned_primaries: 'before 9.x only the shards of a red cluster tell',
  },
};

/** Of the row of the section `cluster_stats`, which has no column of another section but `nodes`. */
export const statsColumns: readonly string[] = overviewColumns.filter(
  (column) => column === 'nodes' || !(healthColumns as readonly string[]).includes(column),
);

export const statsRules: ColumnRules = {
  same: {
    ...below(({ stats }) => at(stats, 'indices'), {
      indices: 'count',
      shards: 'shards.total',
      primaries: 'shards.primaries',
      docs_count: 'docs.count',
      docs_deleted: 'docs.deleted',
      store_bytes: 'store.size_in_bytes',
      data_set_bytes: 'store.total_data_set_size_in_bytes',
      fielddata_bytes: 'fielddata.memory_size_in_bytes',
      query_cache_bytes: 'query_cache.memory_size_in_bytes',
      completion_bytes: 'completion.size_in_bytes',
      segments_count: 'segments.count',
      segments_memory_bytes: 'segments.memory_in_bytes',
    }),
    ...below(({ stats }) => at(stats, 'nodes'), {
      nodes: 'count.total',
      versions: 'versions',
      processors: 'os.available_processors',
      memory_total_bytes: 'os.mem.total_in_bytes',
      heap_max_bytes: 'jvm.mem.heap_max_in_bytes',
      max_uptime_ms: 'jvm.max_uptime_in_millis',
      fs_total_bytes: 'fs.total_in_bytes',
    }),
    nodes_failed: ({ stats }) => at(stats, '_nodes', 'failed'),
    nodes_by_role: ({ stats }) =>
      Object.fromEntries(
        Object.entries(at(stats, 'nodes', 'count') as object).filter(([role]) => role !== 'total'),
      ),
  },
  unsteady: below(({ stats }) => at(stats, 'nodes'), {
    memory_used_bytes: 'os.mem.used_in_bytes',
    heap_used_bytes: 'jvm.mem.heap_used_in_bytes',
    threads: 'jvm.threads',
    fs_free_bytes: 'fs.free_in_bytes',
    fs_available_bytes: 'fs.available_in_bytes',
  }),
  without: {
    ...because(computed, ['docs_growth_per_second', 'store_growth_bytes_per_second']),
    ...because('of rows of other sections', [
      'items',
      'nodes_cut',
      'shards_cut',
      'tasks',
      'recoveries',
      'data_streams',
      'backing_indices',
      'details',
    ]),
    took_ms: 'how long the agent waited',
  },
};
