import { nodeFigures } from '../../../schemas/cluster-rows/node-columns.js';
import { operationFigures } from '../../../schemas/cluster-rows/operation-figures.js';
import { at, type ClusterAnswers } from '../cluster-answers.js';
import type { ColumnRules } from '../same-columns.js';
import { isShareOf, rising, sum, upToLimit } from './bounds.js';
import { below, derived, each, listOf, lists, namedBelow } from './counterparts.js';
import { absentOperations, operations } from './operation-rules.js';

const node = (answers: ClusterAnswers): unknown => answers.node;
const about = (answers: ClusterAnswers): unknown => answers.about;

const gc = namedBelow('jvm', 'gc', 'collectors');
const pools = namedBelow('jvm', 'mem', 'pools');
const paths = namedBelow('fs', 'data');
const threadPools = namedBelow('thread_pool');
const breakers = namedBelow('breakers');

function limitOf({ about: told }: ClusterAnswers, pool: string, key: string): unknown {
  const limit = at(told, 'thread_pool', pool, key);
  return typeof limit === 'number' && limit >= 0 ? limit : null;
}

const rolesOf = (answers: ClusterAnswers): readonly string[] =>
  (at(answers.node, 'roles') as readonly string[]).toSorted();

/** A node with the plain role `data` belongs to all tiers except the frozen one. */
const tiersOf = (answers: ClusterAnswers): readonly string[] => {
  const named = rolesOf(answers).filter((role) => role.startsWith('data_'));
  const own = named.map((role) => role.slice('data_'.length));
  return [...new Set([...own, 'cold', 'content', 'hot', 'warm'])].sort();
};

/** The answer is a number as text; without a limit it is larger than any memory. */
function memoryLimit(answers: ClusterAnswers): number | null {
  const limit = Number(at(answers.node, 'os', 'cgroup', 'memory', 'limit_in_bytes'));
  return limit > 0 && limit < 2 ** 60 ? limit : null;
}

const ofCgroup = 'only where the process is in a control group, and that has a limit';
const ofDisks = 'only where the data lie on a device of its own';

export const nodeRules: ColumnRules = {
  same: {
    ...below(node, {
      name: 'name',
      host: 'host',
      measured_at: 'timestamp',
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
    tiers: tiersOf,
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
  moved: {
    jvm: {
      ...below(node, {
        uptime_ms: 'jvm.uptime_in_millis',
        heap_used_bytes: 'jvm.mem.heap_used_in_bytes',
        heap_committed_bytes: 'jvm.mem.heap_committed_in_bytes',
        heap_max_bytes: 'jvm.mem.heap_max_in_bytes',
        heap_used_percent: 'jvm.mem.heap_used_percent',
        non_heap_used_bytes: 'jvm.mem.non_heap_used_in_bytes',
        non_heap_committed_bytes: 'jvm.mem.non_heap_committed_in_bytes',
        threads: 'jvm.threads.count',
        threads_peak: 'jvm.threads.peak_count',
      }),
      ...lists('garbage_collectors', 'collector', gc, {
        count: 'collection_count',
        time_ms: 'collection_time_in_millis',
      }),
      ...lists('memory_pools', 'pool', pools, {
        used_bytes: 'used_in_bytes',
        peak_used_bytes: 'peak_used_in_bytes',
      }),
      'memory_pools.max_bytes': listOf(pools, (_, pool) => at(pool, 'max_in_bytes') || null),
    },
    process: below(node, {
      process_cpu_percent: 'process.cpu.percent',
      process_cpu_time_ms: 'process.cpu.total_in_millis',
      process_virtual_bytes: 'process.mem.total_virtual_in_bytes',
      open_file_descriptors: 'process.open_file_descriptors',
      max_file_descriptors: 'process.max_file_descriptors',
    }),
    os: {
      ...below(node, {
        host_cpu_percent: 'os.cpu.percent',
        load_1m: 'os.cpu.load_average.1m',
        load_5m: 'os.cpu.load_average.5m',
        load_15m: 'os.cpu.load_average.15m',
        memory_total_bytes: 'os.mem.total_in_bytes',
        memory_free_bytes: 'os.mem.free_in_bytes',
        memory_used_bytes: 'os.mem.used_in_bytes',
        swap_total_bytes: 'os.swap.total_in_bytes',
        swap_free_bytes: 'os.swap.free_in_bytes',
        swap_used_bytes: 'os.swap.used_in_bytes',
        cgroup_memory_usage_bytes: 'os.cgroup.memory.usage_in_bytes',
        cgroup_cpu_quota_micros: 'os.cgroup.cpu.cfs_quota_micros',
        cgroup_cpu_throttled_count: 'os.cgroup.cpu.stat.number_of_times_throttled',
        cgroup_cpu_throttled_nanos: 'os.cgroup.cpu.stat.time_throttled_nanos',
      }),
      cgroup_memory_limit_bytes: memoryLimit,
    },
    fs: {
      ...below(node, {
        fs_total_bytes: 'fs.total.total_in_bytes',
        fs_free_bytes: 'fs.total.free_in_bytes',
        fs_available_bytes: 'fs.total.available_in_bytes',
        io_read_operations: 'fs.io_stats.total.read_operations',
        io_write_operations: 'fs.io_stats.total.write_operations',
        io_read_kilobytes: 'fs.io_stats.total.read_kilobytes',
        io_write_kilobytes: 'fs.io_stats.total.write_kilobytes',
      }),
      ...lists('data_paths', null, paths, {
        path: 'path',
        mount: 'mount',
        type: 'type',
        total_bytes: 'total_in_bytes',
        free_bytes: 'free_in_bytes',
        available_bytes: 'available_in_bytes',
      }),
    },
  },
  within: {
    http_open: rising('http_open', 'http_opened_total'),
    'thread_pools.threads': rising('thread_pools.threads', 'thread_pools.largest'),
    'thread_pools.active': rising('thread_pools.active', 'thread_pools.threads'),
    'thread_pools.queue': upToLimit('thread_pools.queue', 'thread_pools.queue_size'),
    'circuit_breakers.estimated_bytes': upToLimit(
      'circuit_breakers.estimated_bytes',
      'circuit_breakers.limit_bytes',
    ),
  },
  consistent: {
    'heap used, committed, max': rising('heap_used_bytes', 'heap_committed_bytes', 'heap_max_bytes'),
    'the percentage of the heap': isShareOf('heap_used_percent', 'heap_used_bytes', 'heap_max_bytes'),
    'non-heap used, committed': rising('non_heap_used_bytes', 'non_heap_committed_bytes'),
    'memory pools used, peak': rising('memory_pools.used_bytes', 'memory_pools.peak_used_bytes'),
    'threads, peak': rising('threads', 'threads_peak'),
    'file descriptors': rising('open_file_descriptors', 'max_file_descriptors'),
    'memory free and used': sum('memory_total_bytes', 'memory_free_bytes', 'memory_used_bytes'),
    'swap free and used': sum('swap_total_bytes', 'swap_free_bytes', 'swap_used_bytes'),
    'disk available, free, total': rising('fs_available_bytes', 'fs_free_bytes', 'fs_total_bytes'),
    'paths available, free, total': rising(
      'data_paths.available_bytes',
      'data_paths.free_bytes',
      'data_paths.total_bytes',
    ),
    'the heap that is used, to the parent breaker': (row) => {
      const index = (row['circuit_breakers.breaker'] as readonly string[]).indexOf('parent');
      return Number((row['circuit_breakers.estimated_bytes'] as readonly unknown[])[index]) > 0;
    },
  },
  without: each(
    [
      ...nodeFigures,
      ...operationFigures,
      'garbage_collectors.collections',
      'garbage_collectors.pause_ms',
      'garbage_collectors.time_share',
      'data_paths.used_ratio',
      'circuit_breakers.utilisation',
      'circuit_breakers.trips',
      'thread_pools.saturation',
      'thread_pools.queue_ratio',
      'thread_pools.rejections',
      'thread_pools.completed_per_second',
    ],
    derived,
  ),
  absent: (major) => absentOperations('nodes.*.operations', major),
  optional: {
    ...each(
      [
        'cgroup_memory_limit_bytes',
        'cgroup_memory_usage_bytes',
        'cgroup_cpu_quota_micros',
        'cgroup_cpu_throttled_count',
        'cgroup_cpu_throttled_nanos',
      ],
      ofCgroup,
    ),
    ...each(
      ['io_read_operations', 'io_write_operations', 'io_read_kilobytes', 'io_write_kilobytes'],
      ofDisks,
    ),
  },
};
