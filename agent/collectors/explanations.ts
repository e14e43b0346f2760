import type { ShardSnapshot } from '../../schemas/snapshots/shard-section.js';
import { failureOf } from './call-failure.js';
import type { SearchAnswer, ShardToExplain } from './client-port.js';
import type { ClusterMemory, Explained } from './cluster-memory.js';
import { textAt } from './parse/answer.js';
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
  /** As they were listed; none where no listing has been made. */
  readonly shards: readonly ShardSnapshot[];
}

/**
 * Brings the explanations in the memory up to date with the shards that were listed last: asks for groups that have
 * none, ten at a time, and forgets what is older than five minutes, or tells of a shard that was assigned since. Asks
 * nothing while it is not known that anything is unassigned: without a master the cluster would look for one for 30 s,
 * and `master_timeout` is refused by 7.x and 8.x here. Gives how many groups there are to explain; whether anything
 * changed is remembered until it is sent. Rejects with CallFailure.
 */
export async function explainUnassigned(collection: Collection, unassigned: number | null): Promise<number> {
  const { memory } = collection;
  const groups = unassigned === 0 ? [] : groupsOf(memory.unassignedShards, unassigned);
  if (forgetOthers(collection, memory.explanations, groups) > 0) memory.explanationsChanged = true;
  forgetOthers(collection, memory.unexplained, groups);
  const missing = unassigned === null ? [] : groups.filter(({ key }) => !isKnown(memory, key));
  const asked = missing.slice(0, mostExplained);
  memory.explainFails = asked.length > 0;
  for (const group of asked) await explain(collection, group);
  memory.explainFails = false;
  return groups.length - memory.unexplained.size;
}

const isKnown = ({ explanations, unexplained }: ClusterMemory, key: string): boolean =>
  explanations.has(key) || unexplained.has(key);

/** Primaries first. Where no listing has been made, the cluster is left to choose one shard. */
function groupsOf(shards: readonly ShardSnapshot[] | undefined, unassigned: number | null): readonly Group[] {
  if (shards === undefined || shards.length === 0) {
    return (unassigned ?? 0) > 0 ? [{ key: 'any', shard: undefined, size: unassigned ?? 1, shards: [] }] : [];
  }
  const byKey = new Map<string, ShardSnapshot[]>();
  for (const shard of shards) {
    const key = JSON.stringify([shard.index, shard.primary, shard.unassigned_reason]);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [shard]);
    else group.push(shard);
  }
  return [...byKey]
    .flatMap(([key, shards]) => shards.slice(0, 1).map((first) => ({ key, first, shards })))
    .sort((one, other) => Number(other.first.primary) - Number(one.first.primary))
    .map(({ key, first: { index, shard, primary }, shards }) => ({
      key,
      shard: { index, shard, primary },
      size: shards.length,
      shards,
    }));
}

/** Drops what is older than five minutes, and what is no longer so; gives how many. */
function forgetOthers({ now }: Collection, kept: Map<string, Explained>, groups: readonly Group[]): number {
  const current = new Map(groups.map((group) => [group.key, group]));
  const old = [...kept].filter(([key, explained]) => {
    const group = current.get(key);
    const age = now() - (explained.explained_at ?? 0);
    return group === undefined || age >= keptMs || !isOf(group, explained);
  });
  for (const [key] of old) kept.delete(key);
  return old.length;
}

/**
 * Whether the shard that was explained is unassigned since the same moment still. Else it was assigned meanwhile, or its
 * index was made anew under the same name: the reasons of then are not those of now.
 */
function isOf({ shards }: Group, { shard, unassigned_at: since }: Explained): boolean {
  if (shards.length === 0) return true;
  return shards.some(
    (listed) =>
      listed.shard === shard &&
      (since === null || listed.unassigned_at === null || listed.unassigned_at === since),
  );
}

async function explain({ explain, memory, now }: Collection, group: Group): Promise<void> {
  const { key, shard, size, shards } = group;
  const answer = await explain(shard);
  const failure = hasNothingToExplain(answer) ? undefined : failureOf(answer);
  if (failure !== undefined) throw failure;
  const explanation = parseExplanation(answer.body, size, now());
  if (explanation !== null && explanation.current_state === 'unassigned') {
    memory.explanations.set(key, explanation);
    memory.explanationsChanged = true;
  } else if (shard !== undefined) {
    const unassigned_at = shards.find((listed) => listed.shard === shard.shard)?.unassigned_at ?? null;
    memory.unexplained.set(key, { shard: shard.shard, unassigned_at, explained_at: now() });
  }
}

/** The shard was assigned, or its index deleted, since it was listed. A 404 of anybody else is no such answer. */
function hasNothingToExplain({ status, body }: SearchAnswer): boolean {
  const type = textAt(body, 'error', 'type') ?? '';
  return (
    (status === 400 && type === 'illegal_argument_exception') ||
    (status === 404 && /^(index|shard)_not_found_exception$/.test(type))
  );
}
