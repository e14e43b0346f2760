import type { ClusterState, Situation } from './situation.js';

/** Reasons of an unassigned shard that a node had it before. */
const lossReasons = ['NODE_LEFT', 'NODE_RESTARTING'] as const;

export const saysLoss = (unassignedByReason: Readonly<Record<string, number>>): boolean =>
  lossReasons.some((reason) => (unassignedByReason[reason] ?? 0) > 0);

/**
 * Whether a cluster of one data node had others: by what is remembered, and by the reasons that the cluster gives. One
 * that lost its other nodes looks the same in its health alone. Null: that can't be told.
 */
export function hasLostDataNodes({ shards, history }: Situation, cluster: ClusterState): boolean | null {
  if ((history.mostDataNodes ?? 1) > 1 || history.nodesLeft.length + history.leftAmong.count > 0) return true;
  if ((cluster.delayedShards ?? 0) > 0) return true;
  if (!shards.known) return null;
  const { unassignedByReason } = shards.value;
  if (saysLoss(unassignedByReason)) return true;
  const told = Object.entries(unassignedByReason).filter(([, amount]) => amount > 0);
  return told.length === 0 || told.some(([reason]) => reason === 'UNKNOWN') ? null : false;
}
