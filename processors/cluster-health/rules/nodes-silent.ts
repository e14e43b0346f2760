import { explained } from './advice.js';
import { fewestSamples, nodesOf } from './windows.js';
import type { NotMeasured, Rule } from './rule.js';
import type { SilentNode, Unheard } from './situation.js';
import { among, count, named } from './wording.js';

const what = 'nodes that did not answer';

/** A node that is still a member and does not answer, three snapshots in a row: it hangs, or can't be reached. */
export const nodesSilent: Rule = {
  name: 'nodes-silent',
  category: 'availability',
  evaluate({ nodes, unheard }) {
    if (!nodes.known) return { deductions: [], notMeasured: nodesOf(nodes, what).notMeasured };
    const { failedOften, silent, doubtful } = unheard;
    const long = [...silent, ...doubtful].filter(({ missed }) => missed >= fewestSamples);
    return {
      deductions:
        failedOften === 0
          ? []
          : [
              {
                code: 'node_silent',
                points: Math.min(14, 10 + 2 * (failedOften - 1)),
                reason: explained(
                  'node_silent',
                  `${count(failedOften, 'node is still a member of the cluster but has', 'nodes are still members of the cluster but have')} not answered for three snapshots or more${inBrackets(failedOften, long)}.`,
                ),
              },
            ],
      notMeasured: missing(unheard),
    };
  },
};

const namesOf = (nodes: readonly SilentNode[]): string[] => nodes.map(({ name }) => name);

const inBrackets = (amount: number, nodes: readonly SilentNode[]): string =>
  nodes.length === 0 ? '' : ` (${among(amount, namesOf(nodes))})`;

function missing({ failed, silent, doubtful, cut, total }: Unheard): readonly NotMeasured[] {
  const evaluated = silent.length === 0 ? '' : ', evaluated by what they last reported';
  const names = `${inBrackets(failed, [...silent, ...doubtful])}${evaluated}`;
  const of = total === null ? '' : ` of ${total}`;
  const others = doubtful.length - failed;
  const [has, is] = others === 1 ? ['has', 'is'] : ['have', 'are'];
  const gone = `${has} left${cut === 0 ? '' : `, or ${is} beyond the agent's maxNodes`}`;
  return [
    ...(failed === 0 ? [] : [{ what, reason: `${count(failed, 'node')}${of} did not answer${names}` }]),
    ...(doubtful.length === 0
      ? []
      : [
          {
            what: 'nodes that may have left',
            reason: `${among(others, namesOf(doubtful))} ${gone}; it is unknown which, so ${evaluationNote(doubtful)}`,
          },
        ]),
    ...(cut === 0
      ? []
      : [
          {
            what: 'nodes beyond the limit',
            reason: `${count(cut, 'node')}${of} are beyond the agent's maxNodes`,
          },
        ]),
  ];
}

/** Each of these was recently a member: it either does not answer or has left. */
function evaluationNote(doubtful: readonly SilentNode[]): string {
  const evaluated = doubtful.filter((node) => node.evaluated);
  if (evaluated.length === doubtful.length) return 'each of them is evaluated by its last report';
  const but = evaluated.length === 0 ? '' : ` except ${named(namesOf(evaluated))}, by their last report`;
  return `none of them is evaluated${but}`;
}
