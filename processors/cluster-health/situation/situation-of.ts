import type { SectionName } from '../../../schemas/snapshots.js';
import type { At, ClusterMemory, HeaderMemory } from '../memory/cluster-memory.js';
import { hourMs, mostDataNodes, recentMs } from '../memory/history.js';
import {
  known,
  unknown,
  type ClusterState,
  type DiskState,
  type History,
  type Measured,
  type NodeState,
  type Situation,
} from '../rules/situation.js';
import { watermarksOf } from './watermarks-of.js';

/** After so many intervals without a snapshot of it, a section counts as not measured. */
const staleAfter = 3;

/** The cluster as it is remembered at the time `at`. Pure. */
export function situationOf(memory: ClusterMemory, version: string | null, at: number): Situation {
  const { header } = memory;
  const cluster = fresh(header, 'health', header.health, at);
  const nodes = freshNodes(memory, at);
  const dataNodes = cluster.known ? cluster.value.data_nodes : null;
  return {
    at,
    cluster: cluster.known ? known(clusterState(cluster.value)) : cluster,
    shards: shardsOf(header, at),
    history: historyOf(header, at),
    disks: disksOf(memory, nodes, at),
    watermarks: watermarksOf(
      header.watermarks?.value,
      version,
      header.watermarks === undefined
        ? `the disk watermarks are ${reasonOf(header, 'watermarks')}`
        : 'the disk settings could not be read',
      dataNodes,
    ),
    nodes: nodes.known
      ? known(nodes.value.map(({ name, samples }): NodeState => ({ name, samples })))
      : nodes,
    pending: pendingOf(header, at),
  };
}

function clusterState(health: NonNullable<HeaderMemory['health']>['value']): ClusterState {
  return {
    status: health.status,
    noMaster: health.no_master,
    dataNodes: health.data_nodes,
    unassignedShards: health.unassigned_shards,
    unassignedPrimaries: health.unassigned_primaries,
    initializingShards: health.initializing_shards,
    delayedShards: health.delayed_unassigned_shards,
  };
}

/** The last value of a section, unless it is too old to tell anything about now. */
function fresh<Value>(
  header: HeaderMemory,
  section: SectionName,
  last: At<Value> | undefined,
  at: number,
): Measured<Value> {
  if (last === undefined) return unknown(reasonOf(header, section));
  const intervalMs = header.slots[section]?.intervalMs ?? 60_000;
  if (at - last.at <= staleAfter * intervalMs) return known(last.value);
  const since = new Date(last.at).toISOString();
  return unknown(`${reasonOf(header, section)} since ${since}`);
}

/** Why a section was not collected, as the agent says. */
function reasonOf({ capabilities }: HeaderMemory, section: SectionName): string {
  const capability = capabilities?.value[section];
  switch (capability?.state) {
    case 'forbidden':
      return `not readable: the privilege ${capability.privilege ?? 'monitor'} is missing`;
    case 'missing':
      return 'not given by this version of the cluster';
    case 'off':
      return "not collected: switched off in the agent's configuration";
    case 'failing':
      return `not collected: ${capability.reason ?? 'the last try failed'}`;
    default:
      return 'not collected';
  }
}

type RememberedNode = ClusterMemory['nodes'][string];

/** Nodes of the latest answers. One that has left is not judged by what it said last. */
function freshNodes({ header, nodes }: ClusterMemory, at: number): Measured<readonly RememberedNode[]> {
  const slot = header.slots['nodes'];
  const current = fresh(header, 'nodes', slot === undefined ? undefined : { at: slot.at, value: slot }, at);
  if (!current.known) return current;
  const { slot: latest, intervalMs } = current.value;
  const present = Object.entries(nodes).filter(
    ([id, node]) => header.nodesLeft[id] === undefined && latest - node.slot <= staleAfter * intervalMs,
  );
  return known(present.map(([, node]) => node));
}

function disksOf(
  { header }: ClusterMemory,
  nodes: Measured<readonly RememberedNode[]>,
  at: number,
): Measured<readonly DiskState[]> {
  if (!nodes.known) return unknown(reasonOf(header, 'nodes'));
  const disks = nodes.value.flatMap(({ name, disks: paths }) =>
    paths.map((path) => ({ node: name, ...path })),
  );
  return disks.length > 0 || at === 0 ? known(disks) : unknown('no data node gave its disk space');
}

function shardsOf(header: HeaderMemory, at: number): Situation['shards'] {
  const shards = fresh(header, 'shards', header.unassignedByReason, at);
  return shards.known ? known({ unassignedByReason: shards.value }) : shards;
}

function historyOf(header: HeaderMemory, at: number): History {
  const recent = <Event extends { readonly at: number }>(events: readonly Event[]): Event[] =>
    events.filter((event) => at - event.at < recentMs);
  return {
    mostDataNodes: mostDataNodes(header),
    nodesLeft: recent(Object.values(header.nodesLeft)).map(({ name }) => name),
    nodesRestarted: [...new Set(recent(header.restarts).map(({ name }) => name))],
    masterChanges: header.masterChanges.filter((changed) => at - changed < hourMs).length,
  };
}

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
    return pending.known ? unknown('not given by the cluster') : unknown(pending.reason);
  }
  return known({ tasks, longestWaitMs });
}
