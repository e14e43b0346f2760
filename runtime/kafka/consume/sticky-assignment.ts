/** A member of a group, and the partitions whose data it has already. */
export interface StickyMember {
  readonly id: string;
  readonly held: readonly number[];
}

/**
 * Assigns each partition to this many members, evenly, and first to those that have its data already. Every member
 * computes the same.
 */
export function assignSticky(
  members: readonly StickyMember[],
  partitions: readonly number[],
  copies: number,
): ReadonlyMap<string, readonly number[]> {
  const sorted = [...members].sort((one, other) => (one.id < other.id ? -1 : 1));
  const given = new Map(sorted.map(({ id }) => [id, new Set<number>()]));
  const wanted = Math.min(copies, sorted.length);
  for (const partition of partitions) {
    const holders = bySize(
      given,
      sorted.filter(({ held }) => held.includes(partition)),
    );
    for (const { id } of holders.slice(0, wanted)) given.get(id)?.add(partition);
  }
  for (const partition of partitions) {
    const others = bySize(
      given,
      sorted.filter(({ id }) => given.get(id)?.has(partition) !== true),
    );
    const missing = wanted - (sorted.length - others.length);
    for (const { id } of others.slice(0, missing)) given.get(id)?.add(partition);
  }
  evenOut(given, sorted, partitions);
  return new Map([...given].map(([id, its]) => [id, [...its].sort((one, other) => one - other)]));
}

type Shares = ReadonlyMap<string, Set<number>>;

/** The member with the smallest share first. */
function bySize(given: Shares, members: readonly StickyMember[]): readonly StickyMember[] {
  const size = ({ id }: StickyMember): number => given.get(id)?.size ?? 0;
  return [...members].sort((one, other) => size(one) - size(other));
}

/**
 * Moves partitions from the largest share to the smallest until all are alike, first those that have to be read anyway.
 */
function evenOut(given: Shares, members: readonly StickyMember[], partitions: readonly number[]): void {
  for (;;) {
    const sorted = bySize(given, members);
    const [least, most] = [sorted[0], sorted.at(-1)];
    const [smallest, largest] = [given.get(least?.id ?? ''), given.get(most?.id ?? '')];
    if (smallest === undefined || largest === undefined || largest.size - smallest.size <= 1) return;
    const movable = partitions.filter((id) => largest.has(id) && !smallest.has(id));
    const moved = movable.find((id) => most?.held.includes(id) !== true) ?? movable[0];
    if (moved === undefined) return;
    largest.delete(moved);
    smallest.add(moved);
  }
}
