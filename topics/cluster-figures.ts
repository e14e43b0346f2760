import type { ClusterHealth } from '../schemas/generated/cluster-health.js';
import type { ClusterMemory } from '../schemas/generated/cluster-memory.js';
import type { ClusterRows } from '../schemas/generated/cluster-rows.js';
import { clusterSnapshots } from './clusters.js';
import { avro, compact, compactAfter, deleteAfter, topic, type Topic } from './topic.js';

const owner = 'processors/cluster-health';

/** One topic per table, so that each sink reads only what it stores. */
const rowsOf = (dataset: string): Topic<ClusterRows> =>
  topic({
    name: `clusters.${dataset}`,
    key: 'cluster uuid',
    value: avro<ClusterRows>('cluster-rows'),
    partitions: 3,
    cleanup: deleteAfter({ days: 7 }),
    owner,
  });

/** One row per snapshot: what was collected, and the figures of the cluster as a whole. */
export const clusterOverview = rowsOf('overview');
export const clusterNodes = rowsOf('nodes');
export const clusterIndices = rowsOf('indices');
export const clusterShards = rowsOf('shards');
/** Long-running tasks, and tasks waiting for the master. */
export const clusterTasks = rowsOf('tasks');
export const clusterRecoveries = rowsOf('recoveries');

export const clusterRowTopics = [
  clusterOverview,
  clusterNodes,
  clusterIndices,
  clusterShards,
  clusterTasks,
  clusterRecoveries,
] as const;

/**
 * The score of each cluster with its reasons. Compacted: the last score of each cluster stays. Its sink
 * stores the history, so no record may be removed sooner than one of the topics above: compaction leaves no
 * trace by which the audit could notice a lost one.
 */
export const clusterHealth = topic({
  name: 'clusters.health',
  key: 'workspace/cluster uuid',
  value: avro<ClusterHealth>('cluster-health'),
  partitions: 3,
  cleanup: compactAfter({ days: 7 }),
  owner,
});

/**
 * The processor's state between snapshots, written in one transaction with its outputs and read when a
 * partition is acquired. A cluster's pieces are in the partition of its snapshots, so both topics have the
 * same number of partitions.
 */
export const clusterMemory = topic({
  name: 'clusters.memory',
  key: 'workspace/cluster uuid/piece',
  value: avro<ClusterMemory>('cluster-memory'),
  partitions: clusterSnapshots.partitions,
  // Short segments: compaction skips the newest one, and an acquisition reads it whole.
  cleanup: { ...compact(), segmentMs: 600_000 },
  owner,
});
