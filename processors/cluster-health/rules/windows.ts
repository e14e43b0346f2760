import type { Measured, NodeSample, NodeState } from './situation.js';
import type { NotMeasured } from './rule.js';

/** A window is a node's last five samples: five minutes where one is taken a minute. */
export const windowLength = 5;
export const fewestSamples = 3;

/**
 * The figures of a node's window, where there are enough of them to call something sustained: at least three, and all
 * of them measured. One sample alone proves nothing.
 */
export function sustained(
  { samples }: NodeState,
  figure: (sample: NodeSample) => number | null,
  fewest = fewestSamples,
): readonly number[] | undefined {
  const figures = samples.slice(-windowLength).map(figure);
  const measured = figures.filter((value) => value !== null);
  return measured.length === figures.length && measured.length >= fewest ? measured : undefined;
}

/** Nodes for a rule, and what it can't judge where there are none. */
export function nodesOf(
  nodes: Measured<readonly NodeState[]>,
  what: string,
): { readonly list: readonly NodeState[]; readonly notMeasured: readonly NotMeasured[] } {
  return nodes.known
    ? { list: nodes.value, notMeasured: [] }
    : { list: [], notMeasured: [{ what, reason: nodes.reason }] };
}

/** Says of which nodes a figure was never measured in their window. */
export function unmeasured(
  nodes: readonly NodeState[],
  what: string,
  figure: (sample: NodeSample) => unknown,
): readonly NotMeasured[] {
  const names = nodes
    .filter(({ samples }) => samples.every((sample) => figure(sample) === null))
    .map(({ name }) => name);
  return names.length === 0 ? [] : [{ what, reason: `not given by ${names.slice(0, 5).join(', ')}` }];
}
