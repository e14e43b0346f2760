import { z } from 'zod';
import { amount, flag, instant, list, name, names, share, text } from './fields.js';
import { operations } from './operations.js';

const garbageCollector = z.object({ collector: name, count: amount, time_ms: amount });

const memoryPool = z.object({
  pool: name,
  used_bytes: amount,
  /** Null if the JVM gives the pool no limit (the young pool under G1). */
  max_bytes: amount,
  peak_used_bytes: amount,
});

const dataPath = z.object({
  path: text(),
  mount: text(),
  type: text(),
  total_bytes: amount,
  free_bytes: amount,
  /** The watermarks are compared with this. */
  available_bytes: amount,
});

/** `completed` and `rejected` are counters of the node's incarnation. Limits are in the topology section. */
const threadPool = z.object({
  pool: name,
  threads: amount,
  queue: amount,
  active: amount,
  rejected: amount,
  largest: amount,
  completed: amount,
});

/** `tripped` is a counter of the node's incarnation. */
const circuitBreaker = z.object({
  breaker: name,
  estimated_bytes: amount,
  limit_bytes: amount,
  overhead: amount,
  tripped: amount,
});

const nodeSnapshot = z.object({
  node_id: name,
  name: text(),
  host: text(),
  /** An empty list means that the node only coordinates, null that they were not reported. */
  roles: names().nullable().default(null),
  /** `<node id>:<JVM start>`. Counters of two snapshots are only comparable if it is equal. Null: unknown. */
  incarnation: text(),
  jvm_started_at: instant,
  /** The node's own clock when it answered. */
  measured_at: instant,
  uptime_ms: amount,
  is_master: flag,
  heap_used_bytes: amount,
  heap_committed_bytes: amount,
  heap_max_bytes: amount,
  heap_used_percent: share,
  non_heap_used_bytes: amount,
  non_heap_committed_bytes: amount,
  threads: amount,
  threads_peak: amount,
  process_cpu_percent: share,
  process_cpu_time_ms: amount,
  process_virtual_bytes: amount,
  open_file_descriptors: amount,
  max_file_descriptors: amount,
  host_cpu_percent: share,
  load_1m: amount,
  load_5m: amount,
  load_15m: amount,
  memory_total_bytes: amount,
  memory_free_bytes: amount,
  memory_used_bytes: amount,
  swap_total_bytes: amount,
  swap_free_bytes: amount,
  swap_used_bytes: amount,
  cgroup_memory_limit_bytes: amount,
  cgroup_memory_usage_bytes: amount,
  cgroup_cpu_quota_micros: amount,
  cgroup_cpu_throttled_count: amount,
  cgroup_cpu_throttled_nanos: amount,
  fs_total_bytes: amount,
  fs_free_bytes: amount,
  fs_available_bytes: amount,
  io_read_operations: amount,
  io_write_operations: amount,
  io_read_kilobytes: amount,
  io_write_kilobytes: amount,
  transport_open: amount,
  transport_rx_count: amount,
  transport_rx_bytes: amount,
  transport_tx_count: amount,
  transport_tx_bytes: amount,
  http_open: amount,
  http_opened_total: amount,
  indexing_pressure_bytes: amount,
  indexing_pressure_limit_bytes: amount,
  indexing_pressure_coordinating_rejections: amount,
  indexing_pressure_primary_rejections: amount,
  indexing_pressure_replica_rejections: amount,
  shards_count: amount,
  garbage_collectors: list(garbageCollector, 50),
  memory_pools: list(memoryPool, 50),
  data_paths: list(dataPath, 200),
  thread_pools: list(threadPool, 200),
  circuit_breakers: list(circuitBreaker, 100),
  operations,
});

/** The nodes in one part of the snapshot, and how many the cluster has. */
export const nodesSection = z.object({
  nodes_total: amount,
  /** Nodes that were asked and did not answer; their figures are missing, not zero. */
  nodes_failed: amount,
  /** Nodes beyond `maxNodes`, left out. */
  nodes_cut: amount,
  nodes: list(nodeSnapshot, 2_000),
});

export type NodeSnapshot = z.output<typeof nodeSnapshot>;
export type NodesSection = z.output<typeof nodesSection>;
