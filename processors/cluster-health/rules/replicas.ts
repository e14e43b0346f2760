import { explained } from './advice.js';
import { hasLostDataNodes } from './lost-nodes.js';
import { deduct, fine, notMeasured, type Rule, type Verdict } from './rule.js';
import type { ClusterState, Situation } from './situation.js';
import { causeOf, affectedText } from './affected-indices.js';
import { count } from './wording.js';

const unassignedPoints = 25;
const recoveringPoints = 10;
const singleNodePoints = 2;

/** Missing replicas: all data is there, but not twice. */
export const replicas: Rule = {
  name: 'replicas',
  category: 'availability',
  evaluate(situation) {
    const { cluster } = situation;
    if (!cluster.known) return notMeasured('replica shards', cluster.reason);
    const { status, unassignedShards, unassignedPrimaries } = cluster.value;
    if (status === null && unassignedShards === null) {
      return notMeasured('replica shards', 'the cluster reports no status');
    }
    if (
      status === 'red' &&
      (unassignedShards === null || (unassignedPrimaries === null && unassignedShards > 0))
    ) {
      return notMeasured(
        'replica shards',
        unassignedShards === null
          ? 'it is unknown how many shards are unassigned'
          : `it is unknown which of the ${unassignedShards} unassigned shards are primaries`,
      );
    }
    const missing = Math.max(0, (unassignedShards ?? 0) - (unassignedPrimaries ?? 0));
    if (missing === 0 && status !== 'yellow') return fine;
    if (missing === 0 && unassignedShards !== null) return recovering(situation, cluster.value);
    const shards =
      missing === 0
        ? 'At least one replica shard is unassigned'
        : `${count(missing, 'replica shard is', 'replica shards are')} unassigned`;
    const affected = affectedText(situation, 'replicas');
    if (cluster.value.dataNodes !== 1)
      return unassigned(`${shards}${affected}.`, causeOf(situation, 'replicas'));
    const lost = hasLostDataNodes(situation, cluster.value);
    if (lost === true) return unassigned(`${shards}${affected}.`, cureOfLoss);
    const onSingleNode = `${shards} on the only data node${affected}.`;
    return lost === null ? perhapsSingleNode(onSingleNode, situation) : singleNode(onSingleNode);
  },
};

const cureOfLoss =
  'The cluster has lost its other data nodes, so this data has no second copy. Bring those nodes back; if they are lost permanently, add one, or set number_of_replicas of the indices to 0.';

function unassigned(found: string, cause: string | undefined): Verdict {
  const code = 'replicas_unassigned';
  const reason = cause === undefined ? explained(code, found) : `${found} ${cause}`;
  return deduct({ code, points: unassignedPoints, reason });
}

const singleNode = (found: string): Verdict =>
  deduct({
    code: 'yellow_single_node',
    points: singleNodePoints,
    reason: explained('yellow_single_node', found),
  });

/** The least that missing replicas cost, whatever the cause: it is unknown whether data nodes were lost. */
function perhapsSingleNode(found: string, of: Situation): Verdict {
  const reason = of.shards.known
    ? 'the last listing of the shards does not say why they are unassigned'
    : `why the shards are unassigned is ${of.shards.reason}`;
  return {
    ...deduct({
      code: 'replicas_unassigned',
      points: singleNodePoints,
      reason: `${found} It is not known whether the cluster has lost other data nodes, so no more is deducted. Bring back any data node that is missing; if there is none, set number_of_replicas of these indices to 0.`,
    }),
    notMeasured: [{ what: 'lost data nodes', reason }],
  };
}

function recovering(situation: Situation, { initializingShards }: ClusterState): Verdict {
  const shards =
    initializingShards === null || initializingShards === 0
      ? 'replica shards are'
      : count(initializingShards, 'shard is', 'shards are');
  const found = `The cluster is yellow: no shard is unassigned, but ${shards} still being recovered${affectedText(situation, 'recovering')}.`;
  return deduct({
    code: 'replicas_recovering',
    points: recoveringPoints,
    reason: explained('replicas_recovering', found),
  });
}
