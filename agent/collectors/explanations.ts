import type { AllocationExplanation, ShardSnapshot } from '../../schemas/snapshots/shard-section.js';
import { failureOf } from './call-failure.js';
import type { ShardToExplain } from './client-port.js';
import { parseExplanation } from './parse/explanation.js';
import type { Collection } from './section.js';

/** Explanations asked for in one go; the rest waits for the next. */
const mostExplained = 10;
/** How long an explanation stands. */
export const keptMs = 300_000;

interface Group {
  readonly key: string;
  readonly shard: ShardToExplain | undefined;
  readonly size: number;
}

/**
 * Brings the explanations in the memory up to date with the shards that were listed last: asks for groups that have
 * none, ten at a time, and forgets what is older than five minutes or assigned by now. Gives how many groups there
 * are; whether anything changed is remembered until it is sent. Rejects with CallFailure.
 */
export async function explainUnassigned(collection: Collection, unassigned: number | null): Promise<number> {
  const { memory } = collection;
  const groups = unassigned === 0 ? [] : groupsOf(memory.unassignedShards, unassigned);
  if (forgetOthers(collection, groups) > 0) memory.explanationsChanged = true;
  const missing = groups.filter(({ key }) => !memory.explanations.has(key)).slice(0, mostExplained);
  if (missing.length > 0) memory.explanationsChanged = true;
  memory.explainFails = missing.length > 0;
  for (const group of missing) await explain(collection, group);
  memory.explainFails = false;
  return groups.length;
}

/** Primaries first. Where no listing has been made, the cluster is left to choose one shard. */
function groupsOf(shards: readonly ShardSnapshot[] | undefined, unassigned: number | null): readonly Group[] {
  if (shards === undefined || shards.length === 0) {
    return (unassigned ?? 0) > 0 ? [{ key: 'any', shard: undefined, size: unassigned ?? 1 }] : [];
  }
  const byKey = new Map<string, ShardSnapshot[]>();
  for (const shard of shards) {
    const key = JSON.stringify([shard.index, shard.primary, shard.unassigned_reason]);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [shard]);
    else group.push(shard);
  }
  return [...byKey]
    .flatMap(([key, [first, ...others]]) =>
      first === undefined ? [] : [{ key, shard: first, size: 1 + others.length }],
    )
    .sort((one, other) => Number(other.shard.primary) - Number(one.shard.primary))
    .map(({ key, shard: { index, shard, primary }, size }) => ({
      key,
      shard: { index, shard, primary },
      size,
    }));
}

/** Drops what is older than five minutes, and what is assigned by now; gives how many. */
function forgetOthers({ memory, now }: Collection, groups: readonly Group[]): number {
  const current = new Set(groups.map(({ key }) => key));
  const old = [...memory.explanations].filter(
    ([key, { explained_at }]) => !current.has(key) || now() - (explained_at ?? 0) >= keptMs,
  );
  for (const [key] of old) memory.explanations.delete(key);
  return old.length;
}

async function explain({ explain, memory, now }: Collection, { key, shard, size }: Group): Promise<void> {
  const answer = await explain(shard);
  // The shard was assigned, or its index deleted, since it was listed: there is nothing to explain any more.
  if (answer.status === 400 || answer.status === 404) return;
  const failure = failureOf(answer);
  if (failure !== undefined) throw failure;
  const explanation: AllocationExplanation | null = parseExplanation(answer.body, size, now());
  if (explanation !== null && explanation.current_state === 'unassigned')
    memory.explanations.set(key, explanation);
}
