import { deduct, fine, type Rule } from './rule.js';
import { count, named } from './wording.js';

/** A node that vanished lately; shards that it held are being copied, or wait for it. */
export const nodesLeft: Rule = {
  name: 'nodes-left',
  category: 'availability',
  judge({ history: { nodesLeft: names } }) {
    if (names.length === 0) return fine;
    return deduct({
      code: 'node_left',
      points: Math.min(14, 10 + 2 * (names.length - 1)),
      reason: `${count(names.length, 'node')} left the cluster in the last 15 minutes: ${named(names)}.`,
    });
  },
};
