import { amountAt } from './answer.js';
import { positive } from './node-lists.js';

/** Where `_nodes/stats` keeps the plain figures of a node. */
const paths = {
  uptime_ms: ['jvm', 'uptime_in_millis'],
  heap_used_bytes: ['jvm', 'mem', 'heap_used_in_bytes'],
  heap_committed_bytes: ['jvm', 'mem', 'heap_committed_in_bytes'],
  non_heap_used_bytes: ['jvm', 'mem', 'non_heap_used_in_bytes'],
  non_heap_committed_bytes: ['jvm', 'mem', 'non_heap_committed_in_bytes'],
  threads: ['jvm', 'threads', 'count'],
  threads_peak: ['jvm', 'threads', 'peak_count'],
  process_cpu_time_ms: ['process', 'cpu', 'total_in_millis'],
  process_virtual_bytes: ['process', 'mem', 'total_virtual_in_bytes'],
  open_file_descriptors: ['process', 'open_file_descriptors'],
  max_file_descriptors: ['process', 'max_file_descriptors'],
  load_1m: ['os', 'cpu', 'load_average', '1m'],
  load_5m: ['os', 'cpu', 'load_average', '5m'],
  load_15m: ['os', 'cpu', 'load_average', '15m'],
  swap_total_bytes: ['os', 'swap', 'total_in_bytes'],
  swap_free_bytes: ['os', 'swap', 'free_in_bytes'],
  swap_used_bytes: ['os', 'swap', 'used_in_bytes'],
  cgroup_memory_usage_bytes: ['os', 'cgroup', 'memory', 'usage_in_bytes'],
  cgroup_cpu_quota_micros: ['os', 'cgroup', 'cpu', 'cfs_quota_micros'],
  cgroup_cpu_throttled_count: ['os', 'cgroup', 'cpu', 'stat', 'number_of_times_throttled'],
  cgroup_cpu_throttled_nanos: ['os', 'cgroup', 'cpu', 'stat', 'time_throttled_nanos'],
  fs_total_bytes: ['fs', 'total', 'total_in_bytes'],
  fs_free_bytes: ['fs', 'total', 'free_in_bytes'],
  fs_available_bytes: ['fs', 'total', 'available_in_bytes'],
  io_read_operations: ['fs', 'io_stats', 'total', 'read_operations'],
  io_write_operations: ['fs', 'io_stats', 'total', 'write_operations'],
  io_read_kilobytes: ['fs', 'io_stats', 'total', 'read_kilobytes'],
  io_write_kilobytes: ['fs', 'io_stats', 'total', 'write_kilobytes'],
  transport_open: ['transport', 'server_open'],
  transport_rx_count: ['transport', 'rx_count'],
  transport_rx_bytes: ['transport', 'rx_size_in_bytes'],
  transport_tx_count: ['transport', 'tx_count'],
  transport_tx_bytes: ['transport', 'tx_size_in_bytes'],
  http_open: ['http', 'current_open'],
  http_opened_total: ['http', 'total_opened'],
  indexing_pressure_bytes: ['indexing_pressure', 'memory', 'current', 'all_in_bytes'],
  indexing_pressure_limit_bytes: ['indexing_pressure', 'memory', 'limit_in_bytes'],
  indexing_pressure_coordinating_rejections: [
    'indexing_pressure',
    'memory',
    'total',
    'coordinating_rejections',
  ],
  indexing_pressure_primary_rejections: ['indexing_pressure', 'memory', 'total', 'primary_rejections'],
  indexing_pressure_replica_rejections: ['indexing_pressure', 'memory', 'total', 'replica_rejections'],
  shards_count: ['indices', 'shard_stats', 'total_count'],
} as const;

type NodeFigure = keyof typeof paths;
type HostMemory = 'memory_total_bytes' | 'memory_free_bytes' | 'memory_used_bytes';

export function parseNodeFigures(stats: unknown): Record<NodeFigure | HostMemory, number | null> {
  const figures = Object.fromEntries(
    Object.entries(paths).map(([field, path]) => [field, amountAt(stats, ...path)]),
  ) as Record<NodeFigure, number | null>;
  const { total, free, used } = hostMemoryAt(stats);
  return { ...figures, memory_total_bytes: total, memory_free_bytes: free, memory_used_bytes: used };
}

/** Elasticsearch reports 0 for all memory figures of a host if it can't read them. */
export function hostMemoryAt(from: unknown): Record<'total' | 'free' | 'used', number | null> {
  const total = positive(amountAt(from, 'os', 'mem', 'total_in_bytes'));
  const figure = (key: string): number | null => (total === null ? null : amountAt(from, 'os', 'mem', key));
  return { total, free: figure('free_in_bytes'), used: figure('used_in_bytes') };
}

/** The reason for memory figures that are null. */
export const hostMemoryReason = {
  code: 'not_given',
  reason: 'the memory of the host is missing or 0: the node could not read it',
} as const;
