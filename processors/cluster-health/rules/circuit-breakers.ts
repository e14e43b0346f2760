import { explained } from './advice.js';
import { nameOf, presentFirst } from './node-names.js';
import type { Deduction, Rule } from './rule.js';
import type { Absence, NodeSample, NodeState } from './situation.js';
import { change, gauge, incomplete, nodesOf, sustained, unmeasured, windowLength } from './windows.js';
import { count, named, percent } from './wording.js';

const nearLimit = 0.85;
/** All breakers near their limit together cost less than one trip. */
const nearLimitPoints = 4;
const mostTripPoints = 20;

interface Found {
  readonly name: string;
  readonly absence: Absence | null;
  readonly breaker: string;
  readonly trips: number;
}

interface NearLimit {
  readonly name: string;
  readonly absence: Absence | null;
  readonly breaker: string;
  readonly utilisation: number;
}

/**
 * A trip refused a request; a breaker near its limit might refuse one. If any breaker trips, those near their
 * limit are named too, but cost nothing more: otherwise the score would rise when one of them also trips.
 */
export const circuitBreakers: Rule = {
  name: 'circuit-breakers',
  category: 'memory',
  evaluate({ nodes }) {
    const { list, notMeasured } = nodesOf(nodes, 'circuit breakers');
    const trips = list.flatMap(tripsOf);
    const tripped = new Set(trips.map(keyOf));
    // A breaker that tripped is not counted again for being near its limit.
    const near = list.flatMap(nearLimitOf).filter((found) => !tripped.has(keyOf(found)));
    const missing = [
      ...unmeasured(
        list,
        'circuit breakers',
        gauge(({ breakers }) => breakers.length || null),
      ),
      ...incomplete(list, 'circuit breaker trips', tripsIn),
    ];
    return {
      deductions: trips.length > 0 ? [tripDeduction(trips, near)] : nearDeductions(near),
      notMeasured: [...notMeasured, ...missing],
    };
  },
};

const tripsIn = change(({ breakers }: NodeSample): number | null =>
  breakers.some(({ trips }) => trips === null) ? null : breakers.length,
);

const keyOf = ({ name, breaker }: Pick<Found, 'name' | 'breaker'>): string => `${name}\n${breaker}`;

function tripsOf({ name, absence, samples }: NodeState): Found[] {
  const sums = new Map<string, number>();
  for (const { breakers } of samples.slice(-windowLength)) {
    for (const { breaker, trips } of breakers) sums.set(breaker, (sums.get(breaker) ?? 0) + (trips ?? 0));
  }
  return [...sums].flatMap(([breaker, trips]) => (trips > 0 ? [{ name, absence, breaker, trips }] : []));
}

function tripDeduction(trips: readonly Found[], near: readonly NearLimit[]): Deduction {
  const base = trips.some(({ breaker }) => breaker === 'parent') ? 15 : 10;
  const texts = trips
    .toSorted((one, other) => presentFirst(one, other) || other.trips - one.trips)
    .map((trip) => `${trip.breaker} on ${nameOf(trip)} (${count(trip.trips, 'time')})`);
  const others = near.length === 0 ? '' : ` ${sentenceOf(near)}`;
  return {
    code: 'circuit_breaker_tripped',
    points: Math.min(mostTripPoints, base + trips.length - 1),
    reason: `${explained(
      'circuit_breaker_tripped',
      `Circuit breakers rejected requests in the last ${windowLength} samples: ${named(texts)}.`,
    )}${others}`,
  };
}

/** The breakers that are near their limit in every sample since the last hole. */
function nearLimitOf(node: NodeState): NearLimit[] {
  return (node.samples.at(-1)?.breakers ?? []).flatMap(({ breaker }) => {
    const figures = sustained(
      node,
      gauge(({ breakers }) => breakers.find((each) => each.breaker === breaker)?.utilisation ?? null),
    );
    const lowest = Math.min(...(figures ?? [0]));
    return lowest >= nearLimit
      ? [{ name: node.name, absence: node.absence, breaker, utilisation: lowest }]
      : [];
  });
}

function nearDeductions(near: readonly NearLimit[]): readonly Deduction[] {
  if (near.length === 0) return [];
  const code = 'circuit_breaker_near_limit';
  return [{ code, points: nearLimitPoints, reason: explained(code, sentenceOf(near)) }];
}

function sentenceOf(near: readonly NearLimit[]): string {
  const texts = near
    .toSorted(presentFirst)
    .map((each) => `${each.breaker} on ${nameOf(each)} (${percent(each.utilisation)})`);
  return `Circuit breakers stay near their limit: ${named(texts)}.`;
}
