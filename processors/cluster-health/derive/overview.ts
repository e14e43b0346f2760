import { healthColumns, type overviewColumns } from '../../../schemas/cluster-rows/overview-columns.js';
import type { Snapshot } from '../../../schemas/snapshots.js';
import type { At, ClusterTotals } from '../memory/cluster-memory.js';
import { clusterGrowth } from './growth.js';
import { fieldsOf, rowOf, type Row } from './row.js';

type OverviewColumn = (typeof overviewColumns)[number];
type OverviewFigures = Partial<Record<OverviewColumn, unknown>>;

/** A snapshot's row for the whole cluster. Values without their own column are in `details`, as JSON. */
export function overviewRow(snapshot: Snapshot, totalsBefore: At<ClusterTotals> | undefined): Row {
  return rowOf({ took_ms: snapshot.took_ms }, figuresOf(snapshot, totalsBefore));
}

function figuresOf(snapshot: Snapshot, totalsBefore: At<ClusterTotals> | undefined): OverviewFigures {
  switch (snapshot.section) {
    case 'health':
      return fieldsOf<OverviewColumn>(snapshot.body, healthColumns);
    case 'cluster_stats': {
      const { nodes_by_role, versions, ...stats } = snapshot.body;
      return { ...stats, versions, nodes_by_role, ...clusterGrowth(snapshot, totalsBefore) };
    }
    case 'nodes':
      return {
        items: snapshot.body.nodes.length,
        nodes: snapshot.body.nodes_total,
        nodes_failed: snapshot.body.nodes_failed,
        nodes_cut: snapshot.body.nodes_cut,
      };
    case 'indices':
      return { items: snapshot.body.indices.length, indices: snapshot.body.indices_total };
    case 'shards':
      return {
        items: snapshot.body.shards.length,
        shards: snapshot.body.shards_total,
        active_shards: snapshot.body.started,
        relocating_shards: snapshot.body.relocating,
        initializing_shards: snapshot.body.initializing,
        unassigned_shards: snapshot.body.unassigned,
        unassigned_primaries: snapshot.body.unassigned_primaries,
        shards_cut: snapshot.body.shards_cut,
      };
    case 'pending_tasks':
      return {
        items: snapshot.body.tasks.length,
        pending_tasks: snapshot.body.tasks_total,
        pending_tasks_max_wait_ms: snapshot.body.max_wait_ms,
      };
    case 'tasks':
      return {
        items: snapshot.body.tasks.length,
        tasks: snapshot.body.tasks_total,
        nodes_failed: snapshot.body.nodes_failed,
      };
    case 'recovery':
      return { items: snapshot.body.recoveries.length, recoveries: snapshot.body.recoveries_total };
    case 'data_streams':
      return {
        items: snapshot.body.data_streams.length,
        data_streams: snapshot.body.data_streams_total,
        backing_indices: snapshot.body.backing_indices,
        store_bytes: snapshot.body.store_bytes,
        details: JSON.stringify(snapshot.body),
      };
    case 'topology':
      return {
        items: snapshot.body.nodes.length,
        nodes: snapshot.body.nodes_total,
        data_nodes: snapshot.body.data_nodes,
        nodes_failed: snapshot.body.nodes_failed,
        nodes_cut: snapshot.body.nodes_cut,
        master_node_id: snapshot.body.master_node_id,
        details: JSON.stringify(snapshot.body),
      };
    case 'watermarks':
    case 'allocation_explain':
    case 'capabilities':
      return { details: JSON.stringify(snapshot.body) };
  }
}
