import { explained } from './advice.js';
import { deduct, fine, type NotMeasured, type Rule } from './rule.js';
import type { LeftNode, Unheard } from './situation.js';
import { nodesOf } from './windows.js';
import { among, count, named } from './wording.js';

const what = 'nodes that left';

/** A node that left recently; shards that it held are being copied, or wait for it. */
export const nodesLeft: Rule = {
  name: 'nodes-left',
  category: 'availability',
  evaluate({ history: { nodesLeft, leftAmong }, nodes, unheard }) {
    const notMeasured = nodes.known ? cutNodes(unheard) : nodesOf(nodes, what).notMeasured;
    const amount = nodesLeft.length + leftAmong.count;
    if (amount === 0) return { ...fine, notMeasured };
    const others = leftAmong.count === 0 ? [] : [among(leftAmong.count, namesOf(leftAmong.nodes))];
    const names = [...namesOf(nodesLeft), ...others];
    const verdict = deduct({
      code: 'node_left',
      points: Math.min(14, 10 + 2 * (amount - 1)),
      reason: explained(
        'node_left',
        `${count(amount, 'node')} left the cluster in the last 15 minutes: ${named(names)}.`,
      ),
    });
    return { ...verdict, notMeasured };
  },
};

const namesOf = (nodes: readonly LeftNode[]): string[] => nodes.map(({ name }) => name);

/** Only complete lists of nodes show which nodes left. */
function cutNodes({ cut }: Unheard): readonly NotMeasured[] {
  return cut === 0 ? [] : [{ what, reason: `${count(cut, 'node')} are beyond the agent's maxNodes` }];
}
