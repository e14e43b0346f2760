import { advice, explained } from './advice.js';
import { deduct, fine, notMeasured, type Rule } from './rule.js';
import { causeOf, affectedText } from './affected-indices.js';
import { count } from './wording.js';

const firstPoints = 50;
const mostPoints = 60;
const recoveringPoints = 30;

/** Only an unassigned primary means that data is unavailable. */
export const primaries: Rule = {
  name: 'primaries',
  category: 'availability',
  evaluate(situation) {
    const { cluster } = situation;
    if (!cluster.known) return notMeasured('primary shards', cluster.reason);
    const { status, unassignedPrimaries } = cluster.value;
    if (unassignedPrimaries !== null && unassignedPrimaries > 0) {
      const found = `${count(unassignedPrimaries, 'primary shard is', 'primary shards are')} unassigned, so ${unassignedPrimaries === 1 ? 'its' : 'their'} data is unavailable${affectedText(situation, 'primaries')}.`;
      const cause = causeOf(situation, 'primaries');
      return deduct({
        code: 'primaries_unassigned',
        points: Math.min(mostPoints, firstPoints + unassignedPrimaries - 1),
        reason: cause === undefined ? explained('primaries_unassigned', found) : `${found} ${cause}`,
      });
    }
    if (status === null && unassignedPrimaries === null) {
      return notMeasured('primary shards', 'the cluster reports no status');
    }
    if (status !== 'red') return fine;
    const code = unassignedPrimaries === null ? 'red' : 'primaries_recovering';
    const { seen } = advice[code];
    const found = `T${seen.slice(1)}${unassignedPrimaries === null ? '' : affectedText(situation, 'recovering')}.`;
    const points = unassignedPrimaries === null ? firstPoints : recoveringPoints;
    return deduct({ code, points, reason: explained(code, found) });
  },
};
