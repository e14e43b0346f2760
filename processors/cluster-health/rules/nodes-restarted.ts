import { explained } from './advice.js';
import { deduct, fine, type Rule } from './rule.js';
import { nodesOf } from './windows.js';
import { count, named } from './wording.js';

const what = 'restarts';

/** A node that restarted: its counters start at zero, which is neither a trip nor a rejection. */
export const nodesRestarted: Rule = {
  name: 'nodes-restarted',
  category: 'other',
  evaluate({ history: { nodesRestarted: names }, nodes }) {
    const { notMeasured } = nodesOf(nodes, what);
    if (names.length === 0) return { ...fine, notMeasured };
    const verdict = deduct({
      code: 'node_restarted',
      points: Math.min(4, 1 + names.length),
      reason: explained(
        'node_restarted',
        `${count(names.length, 'node')} restarted in the last 15 minutes: ${named(names)}.`,
      ),
    });
    return { ...verdict, notMeasured };
  },
};
