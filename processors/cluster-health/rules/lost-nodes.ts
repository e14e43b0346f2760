import type { ClusterState, History, Situation } from './situation.js';

/** Reasons for an unassigned shard that mean that a node held it before. */
const lossReasons = ['NODE_LEFT', 'NODE_RESTARTING'] as const;

export const saysLoss = (unassignedByReason: Readonly<Record<string, number>>): boolean =>
  lossReasons.some((reason) => (unassignedByReason[reason] ?? 0) > 0);

/** Reasons that may hide a node that left: a restart of the cluster loses the reason from before it. */
const coveringReasons = ['UNKNOWN', 'CLUSTER_RECOVERED'] as const;

/**
 * Whether a cluster with one data node had others, by what is remembered and by the reasons that the cluster
 * gives. Health alone can't tell: a cluster that lost its other nodes looks the same. Memory from before the
 * last day is ignored if no reason of an unassigned shard can hide a lost node: then the cluster was shrunk
 * on purpose. Null: unknown.
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

/** Only data nodes hold shards: any other node that leaves takes none with it. */
const hasDataNodeLeft = ({ nodesLeft, leftAmong }: History): boolean =>
  [...nodesLeft, ...(leftAmong.count === 0 ? [] : leftAmong.nodes)].some(({ holdsShards }) => holdsShards);
