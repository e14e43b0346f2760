import { inSlices } from '../../runtime/slice.js';
import { topologyFields } from '../../schemas/cluster-rows/node-columns.js';
import type { Snapshot, SnapshotOf } from '../../schemas/snapshots.js';
import type { TopologyNode } from '../../schemas/snapshots/topology-section.js';
import { totalsOf } from './derive/growth.js';
import { deriveIndex } from './derive/indices.js';
import { deriveNode } from './derive/nodes.js';
import { overviewRow } from './derive/overview.js';
import { fieldsOf, type Row } from './derive/row.js';
import { countByReason, shardRow, withUnlisted } from './derive/shards.js';
import { pendingTaskRow, recoveryKey, recoveryRow, taskRow } from './derive/work.js';
import {
  forgetOlder,
  keyOf,
  type ClusterMemory,
  type Piece,
  type RememberedTopology,
} from './memory/cluster-memory.js';
import { isFirst, rememberExplanations, rememberListed, standing } from './memory/explanations.js';
import { rememberCapabilities, rememberHealth, rememberNodes, rememberRestart } from './memory/history.js';
import { rememberMissing } from './memory/missing-nodes.js';

export type Dataset = 'overview' | 'nodes' | 'indices' | 'shards' | 'tasks' | 'recoveries';

export interface Applied {
  readonly rows: Readonly<Partial<Record<Dataset, readonly Row[]>>>;
  /** Pieces of the memory that have changed, in addition to the header. */
  readonly changed: readonly Piece[];
}

/**
 * Applies an admitted snapshot to the memory of its cluster, and returns its rows, which depend on what was remembered.
 * A function of both alone: no clock, no I/O. Long lists take several turns of the event loop. `whole`: this is the
 * last part of its snapshot.
 */
export async function applySnapshot(
  memory: ClusterMemory,
  snapshot: Snapshot,
  whole: boolean,
): Promise<Applied> {
  const overview = [overviewRow(snapshot, memory.header.totals)];
  const { rows, changed = [] } = await applySection(memory, snapshot, whole);
  return { rows: { overview, ...rows }, changed };
}

interface Taken {
  readonly rows?: Applied['rows'];
  readonly changed?: readonly Piece[];
}

async function applySection(memory: ClusterMemory, snapshot: Snapshot, whole: boolean): Promise<Taken> {
  const { header } = memory;
  const at = snapshot.taken_at;
  switch (snapshot.section) {
    case 'nodes':
      return await applyNodes(memory, snapshot, whole);
    case 'indices':
      return await applyIndices(memory, snapshot);
    case 'shards':
      return await applyShards(memory, snapshot, whole);
    case 'recovery':
      return await applyRecoveries(memory, snapshot);
    case 'tasks':
      return { rows: { tasks: await inSlices(snapshot.body.tasks, taskRow) } };
    case 'pending_tasks':
      header.pending = {
        at,
        value: { tasks: snapshot.body.tasks_total, longestWaitMs: snapshot.body.max_wait_ms },
      };
      return { rows: { tasks: await inSlices(snapshot.body.tasks, pendingTaskRow) } };
    case 'health':
      header.health = { at, value: snapshot.body };
      rememberHealth(header, snapshot.body, at);
      return {};
    case 'cluster_stats':
      if (!snapshot.partial) header.totals = { at, value: totalsOf(snapshot.body) };
      return {};
    case 'topology':
      header.topology = {
        at,
        value: {
          ...(isFirst(header, 'topology') ? {} : header.topology?.value),
          ...Object.fromEntries(
            snapshot.body.nodes.map((node) => [keyOf(node.node_id), rememberedTopology(node)]),
          ),
        },
      };
      return {};
    case 'watermarks':
      header.watermarks = { at, value: snapshot.body };
      return {};
    case 'allocation_explain':
      rememberExplanations(header, snapshot);
      return {};
    case 'capabilities':
      rememberCapabilities(header, snapshot.reporter, snapshot.body, at);
      return {};
    case 'data_streams':
      return {};
  }
}

async function applyNodes(
  memory: ClusterMemory,
  snapshot: SnapshotOf<'nodes'>,
  whole: boolean,
): Promise<Taken> {
  const { header } = memory;
  const { slot, taken_at: takenAt, body } = snapshot;
  const intervalMs = snapshot.interval_seconds * 1_000;
  if (isFirst(header, 'nodes')) header.nodesInSlot = {};
  const rows = await inSlices(body.nodes, (node) => {
    const key = keyOf(node.node_id);
    const topology = header.topology?.value[key];
    const topologyAt = header.topology?.at ?? null;
    const context = { slot, intervalMs, takenAt, topology, topologyAt };
    const derived = deriveNode(memory.nodes[key], node, context);
    memory.nodes[key] = derived.memory;
    header.nodesInSlot[key] = derived.memory.name;
    if (derived.restartedAt !== null) {
      rememberRestart(header, { name: derived.memory.name, at: derived.restartedAt }, takenAt);
    }
    return derived.row;
  });
  if (whole) {
    const failed = body.nodes_failed ?? 0;
    const cut = body.nodes_cut ?? 0;
    const everyNode = !snapshot.partial && failed === 0 && cut === 0;
    if (everyNode) rememberNodes(memory, header.nodesInSlot, takenAt);
    rememberMissing(header, { slot, at: takenAt, intervalMs, failed, cut, total: body.nodes_total });
  }
  forgetOlder(memory.nodes, slot);
  return { rows: { nodes: rows }, changed: ['nodes'] };
}

async function applyIndices(memory: ClusterMemory, snapshot: SnapshotOf<'indices'>): Promise<Taken> {
  const { slot, taken_at: takenAt, body } = snapshot;
  const context = {
    slot,
    takenAt,
    slowSearchMs: body.slow_search_threshold_ms,
    slowIndexingMs: body.slow_indexing_threshold_ms,
  };
  const rows = await inSlices(body.indices, (index) => {
    const key = keyOf(index.index);
    const derived = deriveIndex(memory.indices[key], index, context);
    memory.indices[key] = derived.memory;
    return derived.row;
  });
  forgetOlder(memory.indices, slot);
  return { rows: { indices: rows }, changed: ['indices'] };
}

async function applyShards(
  { header }: ClusterMemory,
  snapshot: SnapshotOf<'shards'>,
  whole: boolean,
): Promise<Taken> {
  const { body, taken_at: at } = snapshot;
  const before = isFirst(header, 'shards') ? {} : { ...header.unassignedByReason?.value };
  const listed = countByReason(body.shards, before);
  header.unassignedByReason = { at, value: whole ? withUnlisted(listed, body.unassigned) : listed };
  rememberListed(header, snapshot);
  const explanations = body.unassigned === 0 ? [] : standing(header, at, snapshot.interval_seconds * 1_000);
  return { rows: { shards: await inSlices(body.shards, (shard) => shardRow(shard, explanations)) } };
}

async function applyRecoveries(memory: ClusterMemory, snapshot: SnapshotOf<'recovery'>): Promise<Taken> {
  const { slot, taken_at: at, body } = snapshot;
  const rows = await inSlices(body.recoveries, (recovery) => {
    const key = recoveryKey(recovery);
    const row = recoveryRow(memory.recoveries[key], recovery, at);
    if (recovery.bytes_recovered !== null) {
      memory.recoveries[key] = { slot, at, bytes: recovery.bytes_recovered };
    }
    return row;
  });
  forgetOlder(memory.recoveries, slot);
  return { rows: { recoveries: rows }, changed: ['recoveries'] };
}

function rememberedTopology(node: TopologyNode): RememberedTopology {
  return {
    ...(fieldsOf(node, topologyFields) as Omit<RememberedTopology, 'pools'>),
    pools: Object.fromEntries(
      node.thread_pools.map(({ pool, max_threads: max, queue_size: queue }) => [keyOf(pool), { max, queue }]),
    ),
  };
}
