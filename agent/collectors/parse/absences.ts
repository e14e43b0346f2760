import { cut } from './answer.js';
import type { Unavailable } from '../../../schemas/snapshots.js';

/** Why a field is null, where it is known better than "the cluster did not give it". */
export type KnownReasons = Readonly<Record<string, Omit<Unavailable, 'field'>>>;

interface Tally {
  seen: number;
  missing: number;
}

/**
 * Every field of a body that is null although it could be measured, with its reason: `nodes.*.operations.bulks_total`.
 * A field of a list's elements counts where any of them lacks it. `natural` names fields whose null is an answer
 * (a started shard has no reason why it is unassigned).
 */
export function absencesOf(
  body: object,
  natural: readonly string[],
  reasons: KnownReasons,
  version: string | null,
): readonly Unavailable[] {
  const tallies = new Map<string, Tally>();
  count(body, '', new Set(natural), tallies);
  return [...tallies]
    .filter(([, { missing }]) => missing > 0)
    .map(([field, { seen, missing }]) => {
      const known = reasons[field];
      const reason = known?.reason ?? `the cluster (version ${version ?? 'unknown'}) did not give it`;
      const of = missing === seen ? '' : ` (${missing} of ${seen})`;
      return { field, code: known?.code ?? 'not_given', reason: cut(`${reason}${of}`, 1_024) } as const;
    })
    .slice(0, 500);
}

function count(
  value: unknown,
  path: string,
  natural: ReadonlySet<string>,
  tallies: Map<string, Tally>,
): void {
  if (natural.has(path)) return;
  if (Array.isArray(value)) {
    for (const element of value) count(element, `${path}.*`, natural, tallies);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, element] of Object.entries(value)) {
      count(element, path === '' ? key : `${path}.${key}`, natural, tallies);
    }
  } else {
    const tally = tallies.get(path) ?? { seen: 0, missing: 0 };
    tally.seen += 1;
    if (value === null) tally.missing += 1;
    tallies.set(path, tally);
  }
}
