import { fewestSamples, nodesOf } from './windows.js';
import type { NotMeasured, Rule } from './rule.js';
import type { SilentNode, Unheard } from './situation.js';
import { count, named } from './wording.js';

const what = 'nodes that did not answer';

/** A node that is still a member and says nothing, three snapshots in a row: it hangs, or can't be reached. */
export const nodesSilent: Rule = {
  name: 'nodes-silent',
  category: 'availability',
  judge({ nodes, unheard }) {
    if (!nodes.known) return { deductions: [], notMeasured: nodesOf(nodes, what).notMeasured };
    const { failedOften, silent } = unheard;
    const names = namesOf(silent.filter(({ missed }) => missed >= fewestSamples));
    return {
      deductions:
        failedOften === 0
          ? []
          : [
              {
                code: 'node_silent',
                points: Math.min(14, 10 + 2 * (failedOften - 1)),
                reason: `${count(failedOften, 'node is a member of the cluster and does', 'nodes are members of the cluster and do')} not answer, for three snapshots or more${names === '' ? '' : ` (${names})`}.`,
              },
            ],
      notMeasured: missing(unheard),
    };
  },
};

const namesOf = (nodes: readonly SilentNode[]): string => named(nodes.map(({ name }) => name));

function missing({ failed, silent, cut, total }: Unheard): readonly NotMeasured[] {
  const names = silent.length === 0 ? '' : ` (${namesOf(silent)}), judged by what was said last`;
  const of = total === null ? '' : ` of ${total}`;
  return [
    ...(failed === 0 ? [] : [{ what, reason: `${count(failed, 'node')}${of} did not answer${names}` }]),
    ...(cut === 0
      ? []
      : [
          {
            what: 'nodes beyond the limit',
            reason: `${count(cut, 'node')}${of} are beyond maxNodes of the agent`,
          },
        ]),
  ];
}
