import { shardColumns } from '../../../schemas/cluster-rows/shard-columns.js';
import type { AllocationExplanation, ShardSnapshot } from '../../../schemas/snapshots/shard-section.js';
import { keyOf } from '../memory/cluster-memory.js';
import { fieldsOf, rowOf, type Row } from './row.js';

/** A shard's row; for an unassigned shard with the explanation of its group, if there is one. Pure. */
export function shardRow(shard: ShardSnapshot, explanations: readonly AllocationExplanation[]): Row {
  const found = shard.state === 'UNASSIGNED' ? explanationOf(shard, explanations) : undefined;
  const fields = fieldsOf(shard as Readonly<Record<string, unknown>>, shardColumns);
  if (found === undefined) return rowOf(fields);
  return rowOf(fields, {
    can_allocate: found.can_allocate,
    explanation: found.explanation,
    explained_at: found.explained_at,
    failed_attempts: found.failed_attempts,
    deciders: decidersText(found.deciders),
    recommendation_code: found.recommendation_code,
    recommendation: found.recommendation,
  });
}

/**
 * The most characters of deciders: an explanation is repeated in the row of each shard of its group, which
 * can have thousands.
 */
const longestDeciders = 16_384;

/** As many deciders as fit, as JSON. */
function decidersText(deciders: AllocationExplanation['deciders']): string {
  let length = 2;
  const told = deciders.filter(
    (decider) => (length += JSON.stringify(decider).length + 1) <= longestDeciders,
  );
  return JSON.stringify(told);
}

/**
 * The shard's own explanation, otherwise that of its group (index, primary or replica, reason); the first if
 * there are several.
 */
function explanationOf(
  shard: Pick<ShardSnapshot, 'index' | 'shard' | 'primary' | 'unassigned_reason' | 'unassigned_at'>,
  explanations: readonly AllocationExplanation[],
): AllocationExplanation | undefined {
  const { unassigned_reason: reason, unassigned_at: since } = shard;
  const group = explanations.filter(
    ({ index, primary }) => index === shard.index && primary === shard.primary,
  );
  const own = group.find((each) => each.shard === shard.shard);
  if (own !== undefined && isSame(own.unassigned_reason, reason)) {
    return isSame(own.unassigned_at, since) ? own : undefined;
  }
  // A shard that was lost after its group was explained may have another cause.
  return group.find(
    ({ unassigned_reason: explained, unassigned_at: lost, explained_at: at }) =>
      explained === reason && (since === null || at === null || since <= Math.max(at, lost ?? 0)),
  );
}

/** A missing value contradicts nothing. */
const isSame = <Value>(one: Value | null, other: Value | null): boolean =>
  one === null || other === null || one === other;

const unknownReason = 'UNKNOWN';

export function countByReason(
  shards: readonly ShardSnapshot[],
  into: Record<string, number>,
): Record<string, number> {
  for (const { state, unassigned_reason: reason } of shards) {
    if (state !== 'UNASSIGNED') continue;
    const key = keyOf(reason ?? unknownReason);
    into[key] = (into[key] ?? 0) + 1;
  }
  return into;
}

/** Shards beyond the limit of the listing are unassigned for unknown reasons. */
export function withUnlisted(
  listed: Readonly<Record<string, number>>,
  unassigned: number | null,
): Record<string, number> {
  const unlisted = (unassigned ?? 0) - Object.values(listed).reduce((sum, amount) => sum + amount, 0);
  return unlisted <= 0
    ? { ...listed }
    : { ...listed, [unknownReason]: (listed[unknownReason] ?? 0) + unlisted };
}
