import type { RowsPerRecord } from '../../runtime/clickhouse/audit.js';
import { readInsert, type Sink } from '../../runtime/sink.js';
import {
  clusterHealth,
  clusterIndices,
  clusterNodes,
  clusterOverview,
  clusterRecoveries,
  clusterShards,
  clusterTasks,
} from '../../topics/cluster-figures.js';
import { slowOperations } from '../../topics/clusters.js';
import type { Topic } from '../../topics/topic.js';

/** `cluster-nodes` fills telltale.cluster_nodes by insert/cluster-nodes.sql, and so on. */
function sinkInto(name: string, from: Topic, rowsPerRecord: RowsPerRecord): Sink {
  const table = `telltale.${name.replaceAll('-', '_')}`;
  const insert = readInsert(new URL(`./insert/${name}.sql`, import.meta.url));
  return { name, from, table, rowsPerRecord, insert };
}

/**
 * One row per snapshot, with the reasons why columns are null. The processor admits each part of a snapshot
 * once; the capabilities that two agents report in one slot share an id. In the other tables, a long snapshot
 * comes in several records.
 */
export const clusterOverviewSink: Sink = {
  ...sinkInto('cluster-overview', clusterOverview, 'several'),
  id: 'workspace, snapshot_id, reporter',
};
export const clusterNodesSink = sinkInto('cluster-nodes', clusterNodes, 'several');
export const clusterIndicesSink = sinkInto('cluster-indices', clusterIndices, 'several');
export const clusterShardsSink = sinkInto('cluster-shards', clusterShards, 'several');
export const clusterTasksSink = sinkInto('cluster-tasks', clusterTasks, 'several');
export const clusterRecoveriesSink = sinkInto('cluster-recoveries', clusterRecoveries, 'several');

/** The history of each score, with its reasons. */
export const clusterHealthSink = sinkInto('cluster-health', clusterHealth, 'one');

/** One row per entry of a slow log. */
export const slowOperationsSink = sinkInto('slow-operations', slowOperations, 'one');
