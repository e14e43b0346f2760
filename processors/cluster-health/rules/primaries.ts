import { deduct, fine, notMeasured, type Rule } from './rule.js';
import { count } from './wording.js';

const firstPoints = 50;
const mostPoints = 60;

/** Only an unassigned primary means that data is unavailable. */
export const primaries: Rule = {
  name: 'primaries',
  category: 'availability',
  judge({ cluster }) {
    if (!cluster.known) return notMeasured('primary shards', cluster.reason);
    const { status, unassignedPrimaries } = cluster.value;
    if (unassignedPrimaries !== null && unassignedPrimaries > 0) {
      return deduct({
        code: 'primaries_unassigned',
        points: Math.min(mostPoints, firstPoints + unassignedPrimaries - 1),
        reason: `${count(unassignedPrimaries, 'primary shard is', 'primary shards are')} unassigned: their data is unavailable.`,
      });
    }
    if (status === null && unassignedPrimaries === null) {
      return notMeasured('primary shards', 'the cluster gives no status');
    }
    if (status !== 'red') return fine;
    const cause =
      unassignedPrimaries === null
        ? 'at least one primary shard is not active.'
        : 'no primary shard is unassigned, but some are still being recovered.';
    return deduct({
      code: 'red',
      points: unassignedPrimaries === null ? firstPoints : 30,
      reason: `The cluster is red: ${cause}`,
    });
  },
};
