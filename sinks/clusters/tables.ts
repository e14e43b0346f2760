import { indexColumns } from '../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../schemas/cluster-rows/node-columns.js';
import { overviewColumns } from '../../schemas/cluster-rows/overview-columns.js';
import { recoveryColumns } from '../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../schemas/cluster-rows/task-columns.js';
import type { ClusterRows } from '../../schemas/generated/cluster-rows.js';
import {
  clusterIndices,
  clusterNodes,
  clusterOverview,
  clusterRecoveries,
  clusterShards,
  clusterTasks,
} from '../../topics/cluster-figures.js';
import { rowsSink } from './rows-sink.js';

/** clusters.overview → telltale.cluster_overview: one row a snapshot, with the reasons of what is null. */
export const clusterOverviewSink = rowsSink({
  name: 'cluster-overview',
  from: clusterOverview,
  table: 'telltale.cluster_overview',
  columns: overviewColumns,
  more: ({ unavailable }) => ({ unavailable: reasonsByField(unavailable) }),
});

/** A field can be null for several reasons: some elements for one, others for another. */
function reasonsByField(unavailable: ClusterRows['unavailable']): Readonly<Record<string, string>> {
  const reasons = new Map<string, string>();
  for (const { field, reason } of unavailable) {
    const before = reasons.get(field);
    reasons.set(field, before === undefined ? reason : `${before}; ${reason}`);
  }
  return Object.fromEntries(reasons);
}

export const clusterNodesSink = rowsSink({
  name: 'cluster-nodes',
  from: clusterNodes,
  table: 'telltale.cluster_nodes',
  columns: nodeColumns,
});

export const clusterIndicesSink = rowsSink({
  name: 'cluster-indices',
  from: clusterIndices,
  table: 'telltale.cluster_indices',
  columns: indexColumns,
});

export const clusterShardsSink = rowsSink({
  name: 'cluster-shards',
  from: clusterShards,
  table: 'telltale.cluster_shards',
  columns: shardColumns,
});

export const clusterTasksSink = rowsSink({
  name: 'cluster-tasks',
  from: clusterTasks,
  table: 'telltale.cluster_tasks',
  columns: taskColumns,
});

export const clusterRecoveriesSink = rowsSink({
  name: 'cluster-recoveries',
  from: clusterRecoveries,
  table: 'telltale.cluster_recoveries',
  columns: recoveryColumns,
});
