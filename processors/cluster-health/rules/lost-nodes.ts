import type { ClusterState, History, Situation } from './situation.js';

/** Reasons of an unassigned shard that a node had it before. */
const lossReasons = ['NODE_LEFT', 'NODE_RESTARTING'] as const;

export const saysLoss = (unassignedByReason: Readonly<Record<string, number>>): boolean =>
  lossReasons.some((reason) => (unassignedByReason[reason] ?? 0) > 0);

/** Reasons that can stand for a node that left, too: what a shard was unassigned for before the cluster restarted is lost. */
const coveringReasons = ['UNKNOWN', 'CLUSTER_RECOVERED'] as const;

/**
 * Whether a cluster of one data node had others: by what is remembered, and by the reasons that the cluster gives. One
 * that lost its other nodes looks the same in its health alone. What is remembered from before the last day gives way
 * to reasons of which each says that no lost node had the shard: the cluster was made smaller. Null: that can't be told.
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

/** Shards lie on data nodes alone: another one takes none with it. */
const hasDataNodeLeft = ({ nodesLeft, leftAmong }: History): boolean =>
  [...nodesLeft, ...(leftAmong.count === 0 ? [] : leftAmong.nodes)].some(({ holdsShards }) => holdsShards);
