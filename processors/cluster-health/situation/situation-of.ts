import type { HealthSection } from '../../../schemas/snapshots/cluster-section.js';
import { standing } from '../memory/explanations.js';
import { keyOf, type ClusterMemory, type HeaderMemory } from '../memory/cluster-memory.js';
import { failedOften, isDoubtful } from '../memory/missing-nodes.js';
import { hourMs, mostDataNodes, recentMs } from '../memory/history.js';
import { hasLostDataNodes, saysLoss } from '../rules/lost-nodes.js';
import {
  known,
  unknown,
  type AffectedIndices,
  type ClusterState,
  type DiskState,
  type History,
  type LeftNode,
  type Measured,
  type NodeState,
  type Situation,
  type UnassignedCause,
  type Unheard,
} from '../rules/situation.js';
import { fresh, reasonOf } from './freshness.js';
import { absenceOf, evaluatedNodes, type EvaluatedNode } from './evaluated-nodes.js';
import { watermarksOf } from './watermarks-of.js';

/** The cluster at the time `at`, by its memory. Pure. */
export function situationOf(memory: ClusterMemory, version: string | null, at: number): Situation {
  const { header } = memory;
  const cluster = fresh(header, 'health', header.health, at);
  const nodes = evaluatedNodes(memory, at);
  const state = cluster.known ? known(clusterState(cluster.value)) : cluster;
  const past = { shards: shardsOf(header, at), history: historyOf(memory, at) };
  return {
    at,
    cluster: state,
    ...past,
    causes: causesOf(header, at),
    disks: disksOf(memory, nodes, at),
    withoutDisks: nodes.known
      ? nodes.value.filter(({ node }) => node.lacksDisks === true).map(({ node }) => node.name)
      : [],
    watermarks: watermarksOf(
      header.watermarks?.value,
      version,
      header.watermarks === undefined
        ? `the disk watermarks are ${reasonOf(header, 'watermarks')}`
        : 'the disk settings could not be read',
      state.known && state.value.dataNodes === 1 && hasLostDataNodes(past, state.value) !== true,
    ),
    nodes: nodes.known
      ? known(
          nodes.value.map(({ node: { name, samples }, absence }): NodeState => ({ name, absence, samples })),
        )
      : nodes,
    unheard: unheardOf(header, at),
    pending: pendingOf(header, at),
  };
}

function clusterState(health: HealthSection): ClusterState {
  return {
    status: health.status,
    noMaster: health.no_master,
    dataNodes: health.data_nodes,
    unassignedShards: health.unassigned_shards,
    unassignedPrimaries: health.unassigned_primaries,
    initializingShards: health.initializing_shards,
    delayedShards: health.delayed_unassigned_shards,
    masterKnown: health.no_master || health.master_node_id !== null,
    master: health.master_node,
    affected: affectedIn(health),
  };
}

function affectedIn({
  affected_indices: worst,
  indices_lacking_primaries: lackingPrimaries,
  indices_lacking_replicas: lackingReplicas,
  indices_recovering: recovering,
}: HealthSection): AffectedIndices | null {
  if (lackingPrimaries === null || lackingReplicas === null || recovering === null) return null;
  return {
    worst: worst.map((of) => ({
      index: of.index,
      unassignedPrimaries: of.unassigned_primaries ?? 0,
      unassignedReplicas: Math.max(0, (of.unassigned_shards ?? 0) - (of.unassigned_primaries ?? 0)),
      recovering: of.initializing_shards ?? 0,
    })),
    lackingPrimaries,
    lackingReplicas,
    recovering,
  };
}

/** Explanations that still apply. */
function causesOf(header: HeaderMemory, at: number): readonly UnassignedCause[] {
  const intervalMs = header.slots['shards']?.intervalMs ?? 0;
  return standing(header, at, intervalMs).flatMap((of) =>
    of.recommendation === null
      ? []
      : [
          {
            index: of.index,
            primary: of.primary,
            shards: of.shards_in_group ?? 1,
            code: of.recommendation_code ?? '',
            text: of.recommendation,
          },
        ],
  );
}

function disksOf(
  { header }: ClusterMemory,
  nodes: Measured<readonly EvaluatedNode[]>,
  at: number,
): Measured<readonly DiskState[]> {
  if (!nodes.known) return unknown(reasonOf(header, 'nodes'));
  const disks = nodes.value.flatMap(({ node: { name, disks: paths }, absence }) =>
    paths.map((path) => ({ node: name, absence, ...path })),
  );
  return disks.length > 0 || at === 0 ? known(disks) : unknown('no data node reported its disk space');
}

function unheardOf(header: HeaderMemory, at: number): Unheard {
  const { missing } = header;
  if (missing === undefined) {
    return { failed: 0, failedOften: 0, silent: [], doubtful: [], cut: 0, total: null };
  }
  const { failed, cut, total } = missing;
  const nodes = Object.entries(missing.nodes)
    .map(([id, { name, missed }]) => ({ name, missed, evaluated: absenceOf(header, id, at) !== null }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const of = isDoubtful(missing) ? { silent: [], doubtful: nodes } : { silent: nodes, doubtful: [] };
  return { failed, failedOften: failedOften(missing), ...of, cut, total };
}

/** Explanations are repeated every five minutes. */
const explanationsHoldMs = 600_000;

/**
 * Without a listing, the explanations can show that nodes were lost. They can't show that none was, because they cover
 * only some shards.
 */
function shardsOf(header: HeaderMemory, at: number): Situation['shards'] {
  const shards = fresh(header, 'shards', header.unassignedByReason, at);
  if (shards.known) return known({ unassignedByReason: shards.value });
  const { explanations } = header;
  if (explanations === undefined || at - explanations.at > explanationsHoldMs) return shards;
  const unassignedByReason: Record<string, number> = {};
  for (const { unassigned_reason: reason, shards_in_group: size } of explanations.value) {
    if (reason === null) continue;
    const key = keyOf(reason);
    unassignedByReason[key] = (unassignedByReason[key] ?? 0) + (size ?? 1);
  }
  return saysLoss(unassignedByReason) ? known({ unassignedByReason }) : shards;
}

function historyOf({ header, nodes }: ClusterMemory, at: number): History {
  const recent = <Event extends { readonly at: number }>(events: readonly Event[]): Event[] =>
    events.filter((event) => at - event.at < recentMs);
  const { left = [], nodes: missing = {} } = header.missing ?? {};
  return {
    mostDataNodes: mostDataNodes(header),
    dataNodesSinceGreen: header.dataNodesSinceGreen ?? null,
    nodesLeft: recent(Object.values(header.nodesLeft)).map(leftNode),
    leftAmong: {
      count: left.filter((since) => at - since < recentMs).length,
      nodes: Object.entries(missing)
        .map(([id, { name }]) => leftNode({ name, holdsShards: nodes[id]?.holdsShards }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    },
    nodesRestarted: restartedNodes(header, recent(header.restarts)),
    masterChanges: header.masterChanges.filter((changed) => at - changed < hourMs).length,
  };
}

/** A node that restarted and has left since is marked, and named last. */
function restartedNodes(
  { nodesLeft }: HeaderMemory,
  restarts: readonly { readonly name: string }[],
): readonly string[] {
  const gone = new Set(Object.values(nodesLeft).map(({ name }) => name));
  const names = [...new Set(restarts.map(({ name }) => name))];
  return [
    ...names.filter((name) => !gone.has(name)),
    ...names.filter((name) => gone.has(name)).map((name) => `${name} [left since]`),
  ];
}

const leftNode = ({
  name,
  holdsShards = true,
}: {
  readonly name: string;
  readonly holdsShards?: boolean | undefined;
}): LeftNode => ({ name, holdsShards });

function pendingOf(header: HeaderMemory, at: number): Situation['pending'] {
  const pending = fresh(header, 'pending_tasks', header.pending, at);
  const health = fresh(header, 'health', header.health, at);
  const tasks = pending.known ? pending.value.tasks : health.known ? health.value.pending_tasks : null;
  const longestWaitMs = pending.known
    ? pending.value.longestWaitMs
    : health.known
      ? health.value.pending_tasks_max_wait_ms
      : null;
  if (tasks === 0) return known({ tasks, longestWaitMs: longestWaitMs ?? 0 });
  if (tasks === null || longestWaitMs === null) {
    return pending.known ? unknown('not reported by the cluster') : unknown(pending.reason);
  }
  return known({ tasks, longestWaitMs });
}
