import { z } from 'zod';
import { amount, flag, instant, list, name, names, shardNumber, share, text } from './fields.js';

/** A shard recovery in progress. */
const recoverySnapshot = z.object({
  index: name,
  shard: shardNumber,
  primary: flag,
  type: text(64),
  stage: text(64),
  source_node_id: text(),
  source_node: text(),
  /** The repository of a recovery from a snapshot. */
  source_repository: text(),
  source_snapshot: text(),
  target_node_id: text(),
  target_node: text(),
  started_at: instant,
  total_time_ms: amount,
  bytes_total: amount,
  bytes_reused: amount,
  bytes_recovered: amount,
  bytes_percent: share,
  files_total: amount,
  files_reused: amount,
  files_recovered: amount,
  files_percent: share,
  translog_total: amount,
  translog_recovered: amount,
  translog_percent: share,
  source_throttle_time_ms: amount,
  target_throttle_time_ms: amount,
});

export const recoverySection = z.object({
  recoveries_total: amount,
  recoveries_cut: amount,
  recoveries: list(recoverySnapshot, 5_000),
});

/** A reindex, update-by-query, delete-by-query or snapshot; no description, which can contain a query. */
const taskSnapshot = z.object({
  task_id: name,
  parent_task_id: text(),
  node_id: text(),
  action: name,
  kind: z.enum(['reindex', 'update_by_query', 'delete_by_query', 'snapshot']),
  started_at: instant,
  running_ms: amount,
  cancellable: flag,
  cancelled: flag,
  /** Names or patterns of indices in this cluster, if the description lists nothing else there. */
  from_indices: names(100),
  to_index: text(),
  total: amount,
  created: amount,
  updated: amount,
  deleted: amount,
  batches: amount,
  version_conflicts: amount,
  throttled_ms: amount,
  /** Null if not throttled. */
  requests_per_second: amount,
});

export const tasksSection = z.object({
  tasks_total: amount,
  tasks_cut: amount,
  /** Nodes that could not be asked. */
  nodes_failed: amount,
  /** Those that have run longest come first. */
  tasks: list(taskSnapshot, 5_000),
});

export type RecoverySnapshot = z.output<typeof recoverySnapshot>;
export type RecoverySection = z.output<typeof recoverySection>;
export type TaskSnapshot = z.output<typeof taskSnapshot>;
export type TasksSection = z.output<typeof tasksSection>;
