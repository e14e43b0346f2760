import type { Measured, NodeSample, NodeState } from './situation.js';
import { nameOf } from './node-names.js';
import type { NotMeasured } from './rule.js';
import { named } from './wording.js';

/** A window is a node's last five samples: five minutes at one sample per minute. */
export const windowLength = 5;
export const fewestSamples = 3;

/** A figure of a sample. `ofTwo`: it is the change since the last sample, so a node's first sample has none. */
export interface Figure {
  readonly of: (sample: NodeSample) => number | null;
  readonly ofTwo: boolean;
}

export const gauge = (of: Figure['of']): Figure => ({ of, ofTwo: false });
export const change = (of: Figure['of']): Figure => ({ of, ofTwo: true });

/**
 * The samples of a node's window up to now, if there are enough to call something sustained: at least three,
 * without a hole. One sample alone proves nothing.
 */
export function sustainedSamples(
  node: NodeState,
  figure: Figure,
  fewest = fewestSamples,
): readonly NodeSample[] | undefined {
  const window = windowOf(node, figure);
  const hole = window.findLastIndex((sample) => figure.of(sample) === null);
  const measured = window.slice(hole + 1);
  return measured.length >= fewest ? measured : undefined;
}

/** The figures of these samples. */
export function sustained(
  node: NodeState,
  figure: Figure,
  fewest = fewestSamples,
): readonly number[] | undefined {
  return sustainedSamples(node, figure, fewest)?.flatMap((sample) => figure.of(sample) ?? []);
}

/** A node's first sample can't have a figure of two samples: it is left out, and is not a hole. */
function windowOf({ samples }: NodeState, { of, ofTwo }: Figure): readonly NodeSample[] {
  const window = samples.slice(-windowLength);
  const [first] = window;
  const isFirst = ofTwo && window.length < windowLength && first !== undefined && of(first) === null;
  return isFirst ? window.slice(1) : window;
}

/** Nodes for a rule; if there are none, what can't be evaluated. */
export function nodesOf(
  nodes: Measured<readonly NodeState[]>,
  what: string,
): { readonly list: readonly NodeState[]; readonly notMeasured: readonly NotMeasured[] } {
  return nodes.known
    ? { list: nodes.value, notMeasured: [] }
    : { list: [], notMeasured: [{ what, reason: nodes.reason }] };
}

/** Names the nodes whose figure was measured never, not always, or not often enough yet. */
export function unmeasured(
  nodes: readonly NodeState[],
  what: string,
  figure: Figure,
  fewest = fewestSamples,
): readonly NotMeasured[] {
  const notEvaluated = nodes.filter((node) => sustainedSamples(node, figure, fewest) === undefined);
  const first = notEvaluated.filter((node) => awaitsSecond(node, figure));
  const others = notEvaluated.filter((node) => !first.includes(node));
  const holed = others.filter((node) => hasHole(node, figure));
  const short = others.filter((node) => !hasHole(node, figure));
  return listed(what, [...waits(first), ...holes(holed, figure), ...shortages(short, figure, fewest)]);
}

/** The same for figures that are summed over the window, for which any sample counts. */
export function incomplete(
  nodes: readonly NodeState[],
  what: string,
  figure: Figure,
): readonly NotMeasured[] {
  const first = nodes.filter((node) => awaitsSecond(node, figure));
  const holed = nodes.filter((node) => hasHole(node, figure));
  return listed(what, [...waits(first), ...holes(holed, figure)]);
}

const hasHole = (node: NodeState, figure: Figure): boolean =>
  windowOf(node, figure).some((sample) => figure.of(sample) === null);

const awaitsSecond = (node: NodeState, figure: Figure): boolean =>
  figure.ofTwo && node.samples.length === 1 && windowOf(node, figure).length === 0;

const waits = (nodes: readonly NodeState[]): readonly string[] =>
  reason(nodes, (names) => `a second sample of ${names} is needed`);

function holes(nodes: readonly NodeState[], figure: Figure): readonly string[] {
  const isNever = (node: NodeState): boolean =>
    windowOf(node, figure).every((sample) => figure.of(sample) === null);
  const partly = nodes.filter((node) => !isNever(node));
  return [
    ...reason(nodes.filter(isNever), (names) => `not reported by ${names}`),
    ...reason(partly, (names) => `missing from some of the last samples of ${names}`),
  ];
}

/** A window that is still too short: the node is new or has restarted, or the agent is new. */
const shortages = (nodes: readonly NodeState[], figure: Figure, fewest: number): readonly string[] =>
  Array.from({ length: fewest }, (_, taken) =>
    reason(
      nodes.filter((node) => windowOf(node, figure).length === taken),
      (names) => `only ${taken} of ${fewest} samples of ${names} so far`,
    ),
  ).flat();

const reason = (nodes: readonly NodeState[], text: (names: string) => string): readonly string[] =>
  nodes.length === 0 ? [] : [text(named(nodes.map(nameOf)))];

const listed = (what: string, reasons: readonly string[]): readonly NotMeasured[] =>
  reasons.length === 0 ? [] : [{ what, reason: reasons.join('; ') }];
