import type { Deduction, Rule } from './rule.js';
import type { NodeSample, NodeState } from './situation.js';
import { incomplete, nodesOf, sustained, unmeasured, windowLength } from './windows.js';
import { count, named, percent } from './wording.js';

const nearLimit = 0.85;
/** All breakers near their limit cost less together than one trip. */
const nearLimitPoints = 4;
const mostTripPoints = 20;

interface Found {
  readonly node: string;
  readonly breaker: string;
  readonly trips: number;
}

interface NearLimit {
  readonly node: string;
  readonly breaker: string;
  readonly utilisation: number;
}

/**
 * A trip refused a request; a breaker near its limit only may. Where any trips, those near their limit are told beside it
 * and cost nothing more: that one of these trips, too, must not cost less.
 */
export const circuitBreakers: Rule = {
  name: 'circuit-breakers',
  category: 'memory',
  judge({ nodes }) {
    const { list, notMeasured } = nodesOf(nodes, 'circuit breakers');
    const trips = list.flatMap(tripsOf);
    const tripped = new Set(trips.map(keyOf));
    // A breaker that tripped is not told off once more for being near its limit.
    const near = list.flatMap(nearLimitOf).filter((found) => !tripped.has(keyOf(found)));
    const missing = [
      ...unmeasured(list, 'circuit breakers', ({ breakers }) => breakers.length || null),
      ...incomplete(list, 'circuit breaker trips', tripsIn),
    ];
    return {
      deductions: trips.length > 0 ? [tripDeduction(trips, near)] : nearDeductions(near),
      notMeasured: [...notMeasured, ...missing],
    };
  },
};

const tripsIn = ({ breakers }: NodeSample): number | null =>
  breakers.some(({ trips }) => trips === null) ? null : breakers.length;

const keyOf = ({ node, breaker }: Pick<Found, 'node' | 'breaker'>): string => `${node}\n${breaker}`;

function tripsOf({ name, samples }: NodeState): Found[] {
  const sums = new Map<string, number>();
  for (const { breakers } of samples.slice(-windowLength)) {
    for (const { breaker, trips } of breakers) sums.set(breaker, (sums.get(breaker) ?? 0) + (trips ?? 0));
  }
  return [...sums].flatMap(([breaker, trips]) => (trips > 0 ? [{ node: name, breaker, trips }] : []));
}

function tripDeduction(trips: readonly Found[], near: readonly NearLimit[]): Deduction {
  const base = trips.some(({ breaker }) => breaker === 'parent') ? 15 : 10;
  const texts = trips
    .toSorted((one, other) => other.trips - one.trips)
    .map(({ node, breaker, trips: times }) => `${breaker} on ${node} (${times})`);
  const others = near.length === 0 ? '' : ` ${sentenceOf(near)}`;
  return {
    code: 'circuit_breaker_tripped',
    points: Math.min(mostTripPoints, base + trips.length - 1),
    reason: `Circuit breakers refused requests in the last ${count(windowLength, 'sample')}: ${named(texts)}.${others}`,
  };
}

/** Every sample since the last hole has the breaker, and has it near its limit. */
function nearLimitOf(node: NodeState): NearLimit[] {
  return (node.samples.at(-1)?.breakers ?? []).flatMap(({ breaker }) => {
    const figures = sustained(
      node,
      ({ breakers }) => breakers.find((each) => each.breaker === breaker)?.utilisation ?? null,
    );
    const lowest = Math.min(...(figures ?? [0]));
    return lowest >= nearLimit ? [{ node: node.name, breaker, utilisation: lowest }] : [];
  });
}

function nearDeductions(near: readonly NearLimit[]): readonly Deduction[] {
  if (near.length === 0) return [];
  return [{ code: 'circuit_breaker_near_limit', points: nearLimitPoints, reason: sentenceOf(near) }];
}

function sentenceOf(near: readonly NearLimit[]): string {
  const texts = near.map(
    ({ node, breaker, utilisation }) => `${breaker} on ${node} (${percent(utilisation)})`,
  );
  return `Circuit breakers stay near their limit: ${named(texts)}.`;
}
