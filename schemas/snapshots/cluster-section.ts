import { z } from 'zod';
import { amount, flag, healthStatus, list, name, names, share, text } from './fields.js';

/** An index that lacks active shards. */
const affectedIndex = z.object({
  index: name,
  unassigned_shards: amount,
  unassigned_primaries: amount,
  initializing_shards: amount,
});

/** While the cluster has no elected master, everything except `no_master` is null. */
export const healthSection = z.object({
  status: healthStatus,
  no_master: z.boolean(),
  timed_out: flag,
  nodes: amount,
  data_nodes: amount,
  active_primaries: amount,
  active_shards: amount,
  relocating_shards: amount,
  initializing_shards: amount,
  unassigned_shards: amount,
  delayed_unassigned_shards: amount,
  unassigned_primaries: amount,
  active_shards_percent: share,
  pending_tasks: amount,
  pending_tasks_max_wait_ms: amount,
  in_flight_fetches: amount,
  master_node_id: text(),
  master_node: text(),
  /** The worst indices by each of these counts, from the same answer as the counts above; empty if green. */
  affected_indices: list(affectedIndex, 100),
  /** The number of indices that lack primaries, lack replicas, or recover shards; null if not reported. */
  indices_lacking_primaries: amount,
  indices_lacking_replicas: amount,
  indices_recovering: amount,
});

export const clusterStatsSection = z.object({
  indices: amount,
  shards: amount,
  primaries: amount,
  docs_count: amount,
  docs_deleted: amount,
  store_bytes: amount,
  data_set_bytes: amount,
  fielddata_bytes: amount,
  query_cache_bytes: amount,
  completion_bytes: amount,
  segments_count: amount,
  segments_memory_bytes: amount,
  nodes: amount,
  /** Nodes that did not answer the cluster's own request: if there are any, the sums are partial. */
  nodes_failed: amount,
  nodes_by_role: z.record(z.string().max(64), z.number().min(0)).default({}),
  versions: names(),
  processors: amount,
  memory_total_bytes: amount,
  memory_used_bytes: amount,
  heap_used_bytes: amount,
  heap_max_bytes: amount,
  threads: amount,
  max_uptime_ms: amount,
  fs_total_bytes: amount,
  fs_free_bytes: amount,
  fs_available_bytes: amount,
});

const pendingTask = z.object({
  insert_order: amount,
  priority: text(32),
  source: text(),
  executing: flag,
  queued_ms: amount,
});

export const pendingTasksSection = z.object({
  tasks_total: amount,
  max_wait_ms: amount,
  tasks_cut: amount,
  /** Those that have waited longest come first. */
  tasks: list(pendingTask, 1_000),
});

const dataStream = z.object({
  data_stream: name,
  backing_indices: amount,
  store_bytes: amount,
  /** The newest `@timestamp` in it, milliseconds since the epoch. */
  newest_document_at: amount,
});

export const dataStreamsSection = z.object({
  data_streams_total: amount,
  backing_indices: amount,
  store_bytes: amount,
  data_streams_cut: amount,
  data_streams: list(dataStream),
});

export type AffectedIndex = z.output<typeof affectedIndex>;
export type HealthSection = z.output<typeof healthSection>;
export type ClusterStatsSection = z.output<typeof clusterStatsSection>;
export type PendingTasksSection = z.output<typeof pendingTasksSection>;
export type DataStreamsSection = z.output<typeof dataStreamsSection>;
