import type { Measured, NodeSample, NodeState } from './situation.js';
import type { NotMeasured } from './rule.js';
import { named } from './wording.js';

/** A window is a node's last five samples: five minutes where one is taken a minute. */
export const windowLength = 5;
export const fewestSamples = 3;

type Figure = (sample: NodeSample) => number | null;

/**
 * The figures of a node's window up to now, where there are enough of them to call something sustained: at least three,
 * without a hole. One sample alone proves nothing.
 */
export function sustained(
  node: NodeState,
  figure: Figure,
  fewest = fewestSamples,
): readonly number[] | undefined {
  const figures = windowOf(node).map(figure);
  const hole = figures.lastIndexOf(null);
  const measured = figures.slice(hole + 1).filter((value) => value !== null);
  return measured.length >= fewest ? measured : undefined;
}

const windowOf = ({ samples }: NodeState): readonly NodeSample[] => samples.slice(-windowLength);

/** Nodes for a rule, and what it can't judge where there are none. */
export function nodesOf(
  nodes: Measured<readonly NodeState[]>,
  what: string,
): { readonly list: readonly NodeState[]; readonly notMeasured: readonly NotMeasured[] } {
  return nodes.known
    ? { list: nodes.value, notMeasured: [] }
    : { list: [], notMeasured: [{ what, reason: nodes.reason }] };
}

/** Says of which nodes a figure could not be judged as it was not measured, always or now and then. */
export function unmeasured(
  nodes: readonly NodeState[],
  what: string,
  figure: Figure,
  fewest = fewestSamples,
): readonly NotMeasured[] {
  const holed = nodes.filter(
    (node) =>
      windowOf(node).some((sample) => figure(sample) === null) &&
      sustained(node, figure, fewest) === undefined,
  );
  return listed(holed, what, figure);
}

/** The same for what is summed over the window, where any sample counts. */
export function incomplete(
  nodes: readonly NodeState[],
  what: string,
  figure: Figure,
): readonly NotMeasured[] {
  return listed(
    nodes.filter((node) => windowOf(node).some((sample) => figure(sample) === null)),
    what,
    figure,
  );
}

function listed(nodes: readonly NodeState[], what: string, figure: Figure): readonly NotMeasured[] {
  const isNever = (node: NodeState): boolean => windowOf(node).every((sample) => figure(sample) === null);
  const never = nodes.filter(isNever).map(({ name }) => name);
  const partly = nodes.filter((node) => !isNever(node)).map(({ name }) => name);
  const reasons = [
    ...(never.length === 0 ? [] : [`not given by ${named(never)}`]),
    ...(partly.length === 0 ? [] : [`not in all of the last samples of ${named(partly)}`]),
  ];
  return reasons.length === 0 ? [] : [{ what, reason: reasons.join('; ') }];
}
