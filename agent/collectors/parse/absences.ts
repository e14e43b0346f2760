import type { Unavailable } from '../../../schemas/snapshots.js';
import { cut } from './answer.js';

/** Why a field is null, where it is known better than "the cluster did not give it". */
export type KnownReasons = Readonly<Record<string, Omit<Unavailable, 'field'>>>;

/** One place of a body, `*` standing for any element of a list: paths are put together once, not for each element. */
interface Place {
  readonly path: string;
  readonly inner: Map<string, Place>;
  seen: number;
  missing: number;
}

const newPlace = (path: string): Place => ({ path, inner: new Map(), seen: 0, missing: 0 });

/**
 * Every field of a body that is null although it could be measured, with its reason: `nodes.*.operations.bulks_total`.
 * A field of a list's elements counts where any of them lacks it. `natural` names fields whose null is an answer
 * (a started shard has no reason why it is unassigned); `neverEmpty` names lists that are absent where they hold nothing.
 */
export function absencesOf(
  body: object,
  natural: readonly string[],
  reasons: KnownReasons,
  version: string | null,
  neverEmpty: readonly string[] = [],
): readonly Unavailable[] {
  const root = newPlace('');
  count(body, root, { natural: new Set(natural), neverEmpty: new Set(neverEmpty) });
  return missingOf(root)
    .map(({ path, seen, missing }) => {
      const known = reasons[path];
      const reason = known?.reason ?? `the cluster (version ${version ?? 'unknown'}) did not give it`;
      const of = missing === seen ? '' : ` (${missing} of ${seen})`;
      return { field: path, code: known?.code ?? 'not_given', reason: cut(`${reason}${of}`, 1_024) } as const;
    })
    .slice(0, 500);
}

function missingOf(place: Place): readonly Place[] {
  const inner = [...place.inner.values()].flatMap(missingOf);
  return place.missing > 0 ? [place, ...inner] : inner;
}

function innerOf(place: Place, key: string): Place {
  let inner = place.inner.get(key);
  if (inner === undefined) {
    inner = newPlace(place.path === '' ? key : `${place.path}.${key}`);
    place.inner.set(key, inner);
  }
  return inner;
}

interface Kinds {
  readonly natural: ReadonlySet<string>;
  readonly neverEmpty: ReadonlySet<string>;
}

function count(value: unknown, place: Place, kinds: Kinds): void {
  if (kinds.natural.has(place.path)) return;
  if (Array.isArray(value)) {
    place.seen += 1;
    if (value.length === 0 && kinds.neverEmpty.has(place.path)) place.missing += 1;
    const element = innerOf(place, '*');
    for (const inner of value) count(inner, element, kinds);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) count(inner, innerOf(place, key), kinds);
  } else {
    place.seen += 1;
    if (value === null) place.missing += 1;
  }
}
