import type { AllocationExplanation, ShardSnapshot } from '../../../schemas/snapshots/shard-section.js';
import { failureOf } from '../call-failure.js';
import { parseExplanation } from '../parse/explanation.js';
import type { ShardToExplain } from '../client-port.js';
import type { Collection, Section } from '../section.js';

/** Explanations asked for in one go; the rest waits for the next. */
const mostExplained = 10;
/** How long an explanation stands. */
const keptMs = 300_000;

interface Group {
  readonly key: string;
  readonly shard: ShardToExplain | undefined;
  readonly size: number;
}

/**
 * Why shards are unassigned: one explanation for each group of the same index, role and reason, kept for five minutes.
 * With nothing unassigned, nothing is asked.
 */
export const allocationExplainCollector: Section<'allocation_explain'> = {
  name: 'allocation_explain',
  // Looked at in every cycle, so that a shard that was just lost is explained at once; asked anew after five minutes.
  intervalSeconds: () => 60,
  enabled: ({ enabled, allocationExplain }) => enabled && allocationExplain,
  privilege: 'cluster: monitor',
  split: { list: 'explanations', most: () => 100 },
  async collect(collection) {
    const { memory } = collection;
    const groups = memory.unassigned === 0 ? [] : groupsOf(memory.unassignedShards, memory.unassigned);
    const forgotten = forgetOthers(collection, groups);
    const missing = groups.filter(({ key }) => !memory.explanations.has(key)).slice(0, mostExplained);
    for (const group of missing) await explain(collection, group);
    if (forgotten === 0 && missing.length === 0 && !isDue(collection)) return null;
    memory.lastExplained = { at: collection.now(), unassigned: memory.unassigned };
    const explanations = [...memory.explanations.values()];
    const groupsCut = Math.max(0, groups.length - explanations.length);
    return {
      body: { unassigned: memory.unassigned, groups_cut: groupsCut, explanations },
      partial: false,
      unavailable:
        groupsCut === 0
          ? []
          : [
              {
                field: 'explanations',
                code: 'cut' as const,
                reason: `${groupsCut} groups of unassigned shards are not explained yet`,
              },
            ],
    };
  },
};

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

/** What is the same as it was is said again every five minutes only. */
function isDue({ memory: { lastExplained, unassigned }, now }: Collection): boolean {
  return (
    lastExplained === undefined ||
    lastExplained.unassigned !== unassigned ||
    now() - lastExplained.at >= keptMs
  );
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
