import type { ShardSnapshot } from '../../schemas/snapshots/shard-section.js';
import type { ShardToExplain } from './client-port.js';
import type { AskedGroup } from './cluster-memory.js';

/** Unassigned shards of one index, role and reason: one of them is explained for all. */
export interface Group {
  readonly key: string;
  readonly shard: ShardToExplain | undefined;
  readonly size: number;
  /** The listed shards; empty if there was no listing. */
  readonly shards: readonly ShardSnapshot[];
}

/**
 * Primaries first. Without a listing, or if more shards are unassigned now than were listed, the cluster
 * chooses one shard.
 */
export function groupsOf(
  shards: readonly ShardSnapshot[] | undefined,
  unassigned: number | null,
): readonly Group[] {
  const unlisted = (unassigned ?? 0) - (shards?.length ?? 0);
  const any = unlisted > 0 ? [{ key: 'any', shard: undefined, size: unlisted, shards: [] }] : [];
  return [...any, ...listedGroups(shards ?? [])];
}

function listedGroups(shards: readonly ShardSnapshot[]): readonly Group[] {
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

/** Since when the shard that represents its group has been unassigned, according to the listing. */
export function listedTimestamp({ shard, shards }: Group): number | null {
  return shards.find((listed) => listed.shard === shard?.shard)?.unassigned_at ?? null;
}

/**
 * Whether the shard that was asked about has been unassigned since the same time. Otherwise it was assigned meanwhile,
 * or its index was recreated under the same name: the old reasons no longer apply.
 */
export function isStill({ shards }: Group, { shard, unassignedSince }: AskedGroup): boolean {
  if (shards.length === 0) return true;
  return shards.some(
    ({ shard: listed, unassigned_at: since }) =>
      listed === shard && (since === null || unassignedSince.length === 0 || unassignedSince.includes(since)),
  );
}

/** Groups that were never asked about, or not since `before`: the longest ago first. */
export function dueOf(
  groups: readonly Group[],
  asked: ReadonlyMap<string, AskedGroup>,
  before: number,
): readonly Group[] {
  const lastAsked = ({ key }: Group): number => asked.get(key)?.askedAt ?? -Infinity;
  return groups
    .filter((group) => lastAsked(group) <= before)
    .toSorted((one, other) => {
      const [first, second] = [lastAsked(one), lastAsked(other)];
      return first === second ? 0 : first - second;
    });
}
