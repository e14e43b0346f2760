import type { ClusterState, History, Situation } from './situation.js';

/** Reasons of an unassigned shard which mean that a node had it before. */
const lossReasons = ['NODE_LEFT', 'NODE_RESTARTING'] as const;

export const saysLoss = (unassignedByReason: Readonly<Record<string, number>>): boolean =>
  lossReasons.some((reason) => (unassignedByReason[reason] ?? 0) > 0);

/** Reasons that may hide a node that left: the reason from before a restart of the cluster is lost. */
const coveringReasons = ['UNKNOWN', 'CLUSTER_RECOVERED'] as const;

/**
 * Whether a cluster with one data node had others: by what is remembered, and by the reasons that the cluster gives.
 * One that lost its other nodes looks the same by its health alone. Memory of before the last day gives way if no reason
 * of an unassigned shard can hide a lost node: then the cluster was made smaller on purpose. Null: unknown.
 */
export function hasLostDataNodes(
  { shards, history }: Pick<Situation, 'shards' | 'history'>,
  cluster: ClusterState,
): boolean | null {
  if ((history.mostDataNodes ?? 1) > 1 || hasDataNodeLeft(history)) return true;
  if ((cluster.delayedShards ?? 0) > 0) return true;
  const hadOthers = (history.dataNodesSinceGreen ?? 1) > 1;
  if (!shards.known) return hadOthers ? true : null;
  const { unassignedByReason } = shards.value;
  if (saysLoss(unassignedByReason)) return true;
  const told = Object.keys(unassignedByReason).filter((reason) => (unassignedByReason[reason] ?? 0) > 0);
  if (hadOthers) return told.length === 0 || coveringReasons.some((reason) => told.includes(reason));
  return told.length === 0 || told.includes('UNKNOWN') ? null : false;
}

/** Shards are on data nodes alone: another node that leaves takes none with it. */
const hasDataNodeLeft = ({ nodesLeft, leftAmong }: History): boolean =>
  [...nodesLeft, ...(leftAmong.count === 0 ? [] : leftAmong.nodes)].some(({ holdsShards }) => holdsShards);
