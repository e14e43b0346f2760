import type { AffectedIndex, HealthSection } from '../../../schemas/snapshots/cluster-section.js';
import { amountAt, entriesAt, flagAt, textAt } from './answer.js';

/** What the indices of a cluster report beyond the cluster's own counts. */
export type AffectedIndices = Pick<
  HealthSection,
  | 'affected_indices'
  | 'indices_lacking_primaries'
  | 'indices_lacking_replicas'
  | 'indices_recovering'
  | 'unassigned_primaries'
>;

export const notTold: AffectedIndices = {
  affected_indices: [],
  indices_lacking_primaries: null,
  indices_lacking_replicas: null,
  indices_recovering: null,
  unassigned_primaries: null,
};

export const noneAffected: AffectedIndices = {
  affected_indices: [],
  indices_lacking_primaries: 0,
  indices_lacking_replicas: 0,
  indices_recovering: 0,
  unassigned_primaries: 0,
};

export interface IndexHealth {
  readonly index: string;
  /** Primaries that are not active: unassigned or being recovered. */
  readonly inactivePrimaries: number | null;
  readonly unassigned: number | null;
  /** Reported by 9.x. */
  readonly unassignedPrimaries: number | null;
  readonly initializing: number | null;
}

/** The indices that are not green, from `_cluster/health?level=indices`. */
export function parseIndexHealths(answer: unknown): readonly IndexHealth[] {
  return entriesAt(answer, 'indices').flatMap(([index, health]) => {
    if (textAt(health, 'status')?.toLowerCase() === 'green') return [];
    const primaries = amountAt(health, 'number_of_shards');
    const active = amountAt(health, 'active_primary_shards');
    return [
      {
        index,
        inactivePrimaries: primaries === null || active === null ? null : Math.max(0, primaries - active),
        unassigned: amountAt(health, 'unassigned_shards'),
        unassignedPrimaries: amountAt(health, 'unassigned_primary_shards'),
        initializing: amountAt(health, 'initializing_shards'),
      },
    ];
  });
}

/** Whether only the index's shards tell how many of its primaries are unassigned. */
export const mayStartPrimaries = ({
  inactivePrimaries,
  unassignedPrimaries,
  initializing,
}: IndexHealth): boolean => unassignedPrimaries === null && inactivePrimaries !== 0 && initializing !== 0;

/**
 * The initializing primaries by index, from `_cluster/health/<indices>?level=shards`: a shard without an
 * active primary can initialize nothing else. Null if an answer is incomplete.
 */
export function initializingPrimaries(answer: unknown): ReadonlyMap<string, number> | null {
  const counts = new Map<string, number>();
  for (const [name, index] of entriesAt(answer, 'indices')) {
    let starting = 0;
    for (const [, shard] of entriesAt(index, 'shards')) {
      const active = flagAt(shard, 'primary_active');
      const initializing = amountAt(shard, 'initializing_shards');
      if (active === null || initializing === null) return null;
      if (!active && initializing > 0) starting += 1;
    }
    counts.set(name, starting);
  }
  return counts;
}

/** `starting`: how many primaries of an index are being recovered, if only its shards tell that. */
export function affectedOf(
  answer: unknown,
  indices: readonly IndexHealth[],
  starting: ReadonlyMap<string, number>,
): AffectedIndices {
  const affected = indices.map((health): AffectedIndex => {
    const unassignedPrimaries = health.unassignedPrimaries ?? withoutStarting(health, starting);
    return {
      index: health.index,
      unassigned_shards: health.unassigned,
      unassigned_primaries: unassignedPrimaries,
      initializing_shards: health.initializing,
    };
  });
  const told = amountAt(answer, 'unassigned_primary_shards');
  // A red cluster has an inactive primary: if none was found, an index is missing.
  const isRed = textAt(answer, 'status')?.toLowerCase() === 'red';
  const isWhole = !isRed || indices.some(({ inactivePrimaries }) => inactivePrimaries !== 0);
  const unassigned = isWhole ? sumOf(affected.map(primariesOf)) : null;
  return {
    affected_indices: worstOf(affected),
    indices_lacking_primaries: isWhole ? countOf(affected, primariesOf) : null,
    indices_lacking_replicas: isWhole ? countOf(affected, replicasOf) : null,
    indices_recovering: isWhole ? countOf(affected, recoveringOf) : null,
    unassigned_primaries: told ?? (isRed ? unassigned : 0),
  };
}

function withoutStarting(
  { index, inactivePrimaries, initializing }: IndexHealth,
  starting: ReadonlyMap<string, number>,
): number | null {
  if (inactivePrimaries === null || inactivePrimaries === 0 || initializing === 0) return inactivePrimaries;
  const started = starting.get(index);
  // The cluster recovers between the calls, so their counts can disagree.
  return started === undefined ? null : Math.max(0, inactivePrimaries - started);
}

type CountOf = (index: AffectedIndex) => number | null;

const primariesOf: CountOf = (index) => index.unassigned_primaries;
const recoveringOf: CountOf = (index) => index.initializing_shards;
const replicasOf: CountOf = ({ unassigned_shards: all, unassigned_primaries: primaries }) =>
  all === null || primaries === null ? null : Math.max(0, all - primaries);

const sumOf = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);

const countOf = (indices: readonly AffectedIndex[], of: CountOf): number | null =>
  sumOf(indices.map((index) => (of(index) === null ? null : Number(of(index) !== 0))));

/** Enough to name the first few of each kind. */
const mostOfAKind = 20;

function worstOf(indices: readonly AffectedIndex[]): AffectedIndex[] {
  const worst = [primariesOf, replicasOf, recoveringOf].flatMap((of) =>
    indices
      .filter((index) => (of(index) ?? 0) > 0)
      .toSorted((one, other) => (of(other) ?? 0) - (of(one) ?? 0))
      .slice(0, mostOfAKind),
  );
  return [...new Set(worst)];
}
