import {
  breakerFields,
  collectorFields,
  dataPathFields,
  memoryPoolFields,
  nodeFields,
  threadPoolFields,
  topologyFields,
  type nodeFigures as figureColumns,
} from '../../../schemas/cluster-rows/node-columns.js';
import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';
import type { NodeMemory } from '../memory/cluster-memory.js';
import type { NodeSample } from '../rules/situation.js';
import { windowLength } from '../rules/windows.js';
import { delta, wereSetBack } from './counters.js';
import { nodeCounters } from './node-counters.js';
import {
  nodeFigures,
  sampleOf,
  usedRatio,
  type NodeChange,
  type NodeContext,
  type NodeFigures,
} from './node-figures.js';
import { disksOf, holdsShards, lacksDisks } from './node-disks.js';
import { hasRestarted, intervalSince, lastIncarnation, restartedAt } from './node-interval.js';
import { countersOf, deriveOperations, keptOfNode, type Counters } from './operations.js';
import { fieldsOf, nestedColumns, rowOf, type Row } from './row.js';

export interface DerivedNode {
  readonly row: Row;
  readonly memory: NodeMemory;
  /** When the JVM restarted since the last snapshot, by the agent's clock; null if no restart is known. */
  readonly restartedAt: number | null;
}

/** A node's row with the changes since its last snapshot, and the memory for the next one. Pure. */
export function deriveNode(
  before: NodeMemory | undefined,
  node: NodeSnapshot,
  context: NodeContext,
): DerivedNode {
  const change = changeSince(before, node, context.takenAt);
  const figures = nodeFigures(node, context, change);
  const restarted = hasRestarted(before, node);
  const sample = sampleOf(node, figures, change, context.intervalMs);
  return {
    restartedAt: restarted === true ? restartedAt(before, node, context.takenAt) : null,
    row: nodeRow(node, context, change, figures, restarted),
    memory: {
      name: node.name ?? node.node_id,
      slot: context.slot,
      incarnation: node.incarnation,
      // The uptime fell and no incarnation is known: the last one no longer applies.
      lastIncarnation:
        node.incarnation ?? (before === undefined || restarted === true ? null : lastIncarnation(before)),
      uptimeMs: node.uptime_ms,
      at: change.at,
      ownClock: node.measured_at !== null,
      operations: countersOf(node.operations),
      counters: change.counters,
      shards: node.shards_count,
      samples: [...keptSamples(before, restarted, context), sample].slice(-windowLength),
      disks: disksOf(node, context.topology),
      holdsShards: holdsShards(node.roles, context.topology),
      lacksDisks: lacksDisks(node, context.topology),
    },
  };
}

function changeSince(
  before: NodeMemory | undefined,
  node: NodeSnapshot,
  takenAt: number,
): NodeChange & { readonly at: number } {
  const counters = nodeCounters(node);
  const at = node.measured_at ?? takenAt;
  const interval = intervalSince(before, node, counters, at);
  const seconds = 'seconds' in interval ? interval.seconds : null;
  const comparable = seconds === null ? undefined : before;
  return {
    at,
    counters,
    seconds,
    gap: 'gap' in interval ? interval.gap : null,
    comparable,
    grown: (name) => (comparable === undefined ? null : delta(comparable.counters[name], counters[name])),
  };
}

function nodeRow(
  node: NodeSnapshot,
  { topology, topologyAt }: NodeContext,
  { comparable, seconds, gap }: NodeChange,
  { collectors, pools, breakers, ...figures }: NodeFigures,
  restarted: boolean | null,
): Row {
  const paths = node.data_paths.map((path) => ({
    ...path,
    used_ratio: usedRatio(path.total_bytes, path.available_bytes),
  }));
  return rowOf(
    fieldsOf(node, nodeFields),
    fieldsOf(topology ?? {}, topologyFields),
    node.operations,
    deriveOperations(operationsBefore(comparable, node), node.operations, seconds),
    {
      ...figures,
      topology_at: topology === undefined ? null : topologyAt,
      restarted,
      interval_seconds_measured: seconds,
      gap,
    } satisfies Record<(typeof figureColumns)[number], unknown>,
    nestedColumns('garbage_collectors', collectorFields, collectors),
    nestedColumns('memory_pools', memoryPoolFields, node.memory_pools),
    nestedColumns('data_paths', dataPathFields, paths),
    nestedColumns('thread_pools', threadPoolFields, pools),
    nestedColumns('circuit_breakers', breakerFields, breakers),
  );
}

/** The counters before; without those of the caches if a shard has left and taken its part of their sums. */
function operationsBefore(before: NodeMemory | undefined, node: NodeSnapshot): Counters | null | undefined {
  if (before === undefined) return undefined;
  const { operations } = before;
  // If the number of shards is unknown, one may have left.
  const gained = (node.shards_count ?? NaN) - (before.shards ?? NaN);
  const left = !(gained >= 0) || wereSetBack(operations ?? {}, node.operations);
  return left ? keptOfNode(operations) : operations;
}

/**
 * A window contains no known restart and no hole: a state that is not seen for three intervals is not
 * sustained. Heap and similar gauges mean the same in any incarnation.
 */
function keptSamples(
  before: NodeMemory | undefined,
  restarted: boolean | null,
  { slot, intervalMs }: NodeContext,
): readonly NodeSample[] {
  if (before === undefined || restarted === true) return [];
  return slot - before.slot > 3 * intervalMs ? [] : before.samples;
}
