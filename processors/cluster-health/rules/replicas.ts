import { hasLostDataNodes } from './lost-nodes.js';
import { deduct, fine, notMeasured, type Rule, type Verdict } from './rule.js';
import type { ClusterState, Situation } from './situation.js';
import { count, named } from './wording.js';

const unassignedPoints = 25;
const recoveringPoints = 10;
const singleNodePoints = 2;

const cureOfLoss =
  ' The cluster has had other data nodes: bring them back; if they are gone for good, add one, or set number_of_replicas of its indices to 0.';

/** Missing replicas: all data is there, but not twice. */
export const replicas: Rule = {
  name: 'replicas',
  category: 'availability',
  judge(situation) {
    const { cluster } = situation;
    if (!cluster.known) return notMeasured('replica shards', cluster.reason);
    const { status, unassignedShards, unassignedPrimaries } = cluster.value;
    if (status === null && unassignedShards === null) {
      return notMeasured('replica shards', 'the cluster gives no status');
    }
    if (
      status === 'red' &&
      (unassignedShards === null || (unassignedPrimaries === null && unassignedShards > 0))
    ) {
      return notMeasured(
        'replica shards',
        unassignedShards === null
          ? 'it is not known how many shards are unassigned'
          : `it is not known which of the ${unassignedShards} unassigned shards are primaries`,
      );
    }
    const missing = Math.max(0, (unassignedShards ?? 0) - (unassignedPrimaries ?? 0));
    if (missing === 0 && status !== 'yellow') return fine;
    if (missing === 0 && unassignedShards !== null) return recovering(cluster.value);
    const shards =
      missing === 0
        ? 'At least one replica shard is'
        : count(missing, 'replica shard is', 'replica shards are');
    const isSingle = cluster.value.dataNodes === 1 && (unassignedPrimaries ?? 0) === 0;
    if (isSingle) {
      const lost = hasLostDataNodes(situation, cluster.value);
      if (lost === false) return singleNode(shards);
      if (lost === null) return perhapsSingleNode(shards, situation);
    }
    return deduct({
      code: 'replicas_unassigned',
      points: unassignedPoints,
      reason: `${shards} unassigned${reasonsOf(situation)}: the loss of one more node can lose data.${isSingle ? cureOfLoss : ''}`,
    });
  },
};

const singleNode = (shards: string): Verdict =>
  deduct({
    code: 'yellow_single_node',
    points: singleNodePoints,
    reason: `${shards} unassigned, as a single data node can not hold a copy beside its primary. Add a data node, or set the indices' replicas to 0.`,
  });

/** What is missing costs that much at the least, whatever the cause. */
function perhapsSingleNode(shards: string, of: Situation): Verdict {
  const reason = of.shards.known
    ? 'the last listing of the shards does not say why they are unassigned'
    : `why the shards are unassigned is ${of.shards.reason}`;
  return {
    ...deduct({
      code: 'replicas_unassigned',
      points: singleNodePoints,
      reason: `${shards} unassigned on the only data node. Whether it has lost others is not known, so that no more is deducted.`,
    }),
    notMeasured: [{ what: 'lost data nodes', reason }],
  };
}

function recovering({ initializingShards }: ClusterState): Verdict {
  const shards =
    initializingShards === null || initializingShards === 0
      ? 'replica shards are'
      : count(initializingShards, 'shard is', 'shards are');
  return deduct({
    code: 'replicas_recovering',
    points: recoveringPoints,
    reason: `The cluster is yellow: none of its shards is unassigned, but ${shards} still being recovered.`,
  });
}

function reasonsOf({ shards }: Situation): string {
  if (!shards.known) return '';
  const reasons = Object.entries(shards.value.unassignedByReason)
    .sort(([one, of], [other, and]) => and - of || (one < other ? -1 : 1))
    .map(([reason, amount]) => `${reason} ${amount}`);
  return reasons.length === 0 ? '' : ` (${named(reasons, 3)})`;
}
