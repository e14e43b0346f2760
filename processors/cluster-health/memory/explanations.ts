import type { SnapshotOf } from '../../../schemas/snapshots.js';
import type { AllocationExplanation } from '../../../schemas/snapshots/shard-section.js';
import type { At, HeaderMemory } from './cluster-memory.js';

/** Collects the parts of one snapshot, in any order. The first to come replaces the previous snapshot. */
export function rememberExplanations(
  header: HeaderMemory,
  { taken_at: at, body }: SnapshotOf<'allocation_explain'>,
): void {
  const before = isFirst(header, 'allocation_explain') ? [] : (header.explanations?.value ?? []);
  header.explanations = { at, value: [...before, ...body.explanations] };
}

/** A listing has the last explained groups of shards, as many as fit, all in one of its parts. */
export function rememberListed(header: HeaderMemory, { taken_at: at, body }: SnapshotOf<'shards'>): void {
  if (!isFirst(header, 'shards') && body.explanations.length === 0) return;
  header.listedExplanations = { at, value: [...body.explanations] };
}

/** Whether the part that was admitted just now is the first of its snapshot. */
export const isFirst = (
  { slots }: HeaderMemory,
  section: 'allocation_explain' | 'nodes' | 'shards' | 'topology',
): boolean => slots[section]?.parts.length === 1;

/** The agent repeats its explanations at least this often, as long as they apply. */
const repeatedEveryMs = 300_000;

/** Explanations that still apply, the latest first. One that is no longer repeated may no longer apply. */
export function standing(
  { explanations, listedExplanations }: HeaderMemory,
  at: number,
  intervalMs: number,
): readonly AllocationExplanation[] {
  const isSaid = (said: At<AllocationExplanation[]> | undefined): said is At<AllocationExplanation[]> =>
    said !== undefined && at - said.at <= repeatedEveryMs + intervalMs;
  return [listedExplanations, explanations]
    .filter(isSaid)
    .flatMap(({ value }) => value)
    .toSorted((one, other) => (other.explained_at ?? 0) - (one.explained_at ?? 0));
}
