import type { AffectedIndex, AffectedIndices, Situation } from './situation.js';
import { named } from './wording.js';

export type ShardRole = 'primaries' | 'replicas' | 'recovering';

const amountOf: Readonly<Record<ShardRole, (index: AffectedIndex) => number>> = {
  primaries: ({ unassignedPrimaries }) => unassignedPrimaries,
  replicas: ({ unassignedReplicas }) => unassignedReplicas,
  recovering: ({ recovering }) => recovering,
};

const indicesOf: Readonly<Record<ShardRole, (affected: AffectedIndices) => number>> = {
  primaries: ({ lackingPrimaries }) => lackingPrimaries,
  replicas: ({ lackingReplicas }) => lackingReplicas,
  recovering: ({ recovering }) => recovering,
};

/** `: orders (2) and logs (1)`, the worst first; empty if the cluster did not name the indices. */
export function affectedText({ cluster }: Situation, role: ShardRole): string {
  const affected = cluster.known ? cluster.value.affected : null;
  if (affected === null) return '';
  const worst = lacking(affected, role);
  if (worst.length === 0) return '';
  const names = worst.map((index) => `${index.index} (${amountOf[role](index)})`);
  return `: ${named(names, 5, indicesOf[role](affected))}`;
}

function lacking({ worst }: AffectedIndices, role: ShardRole): readonly AffectedIndex[] {
  const amount = amountOf[role];
  return worst
    .filter((index) => amount(index) > 0)
    .toSorted((one, other) => amount(other) - amount(one) || (one.index < other.index ? -1 : 1));
}

/**
 * Why these shards are unassigned and what to do: the explanation that covers the most of them. Explanations
 * of indices that no longer lack such a shard don't count. Undefined if nothing has been explained yet.
 */
export function causeOf(situation: Situation, role: 'primaries' | 'replicas'): string | undefined {
  const { cluster, causes } = situation;
  const affected = cluster.known ? cluster.value.affected : null;
  const isLacking = (index: string): boolean => {
    const found = affected?.worst.find((each) => each.index === index);
    return affected === null || (found !== undefined && amountOf[role](found) > 0);
  };
  const fitting = causes.filter(
    ({ index, primary }) => primary === (role === 'primaries') && isLacking(index),
  );
  const shardsByCode = new Map<string, number>();
  for (const { code, shards } of fitting) shardsByCode.set(code, (shardsByCode.get(code) ?? 0) + shards);
  const most = Math.max(...shardsByCode.values());
  const main = fitting.find(({ code }) => shardsByCode.get(code) === most);
  if (main === undefined) return undefined;
  const others = new Set(
    fitting.filter(({ code, index }) => code !== main.code && index !== main.index).map(({ index }) => index),
  ).size;
  const more =
    others === 0
      ? ''
      : ` ${others === 1 ? '1 more index has' : `${others} more indices have`} another cause: see the list of shards.`;
  return `The cause for ${main.index}: ${main.text}${more}`;
}
