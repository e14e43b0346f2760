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
  const share = Math.floor((partitions.length * wanted) / Math.max(1, sorted.length));
  /** This many members get one more than the others. */
  let larger = partitions.length * wanted - share * sorted.length;
  const left = new Map(partitions.map((partition) => [partition, wanted]));
  const load = (id: string): number => given.get(id)?.size ?? 0;
  const give = (id: string, partition: number): void => {
    given.get(id)?.add(partition);
    left.set(partition, (left.get(partition) ?? 0) - 1);
  };
  for (const partition of partitions) {
    const holders = sorted.filter(({ held }) => held.includes(partition));
    for (const { id } of holders.sort((one, other) => load(one.id) - load(other.id))) {
      const isLarger = load(id) === share;
      if ((left.get(partition) ?? 0) === 0 || load(id) > share || (isLarger && larger === 0)) continue;
      if (isLarger) larger--;
      give(id, partition);
    }
  }
  for (const [partition, missing] of left) {
    for (let copy = 0; copy < missing; copy++) {
      const [next] = sorted
        .filter(({ id }) => given.get(id)?.has(partition) !== true)
        .sort((one, other) => load(one.id) - load(other.id));
      if (next !== undefined) give(next.id, partition);
    }
  }
  evenOut(sorted, partitions, given);
  return new Map([...given].map(([id, its]) => [id, [...its].sort((one, other) => one - other)]));
}

/**
 * Who holds much may have been given so much before that only a few partitions were left for another: each has a
 * partition once. Moves partitions from the largest share to the smallest, first those that have to be read anyway.
 */
function evenOut(
  members: readonly StickyMember[],
  partitions: readonly number[],
  given: ReadonlyMap<string, Set<number>>,
): void {
  const shareOf = ({ id }: StickyMember): Set<number> => given.get(id) ?? new Set();
  for (;;) {
    const bySize = [...members].sort((one, other) => shareOf(one).size - shareOf(other).size);
    const [least, most] = [bySize[0], bySize.at(-1)];
    if (least === undefined || most === undefined || shareOf(most).size - shareOf(least).size <= 1) return;
    const movable = partitions.filter((id) => shareOf(most).has(id) && !shareOf(least).has(id));
    const moved = movable.find((id) => !most.held.includes(id)) ?? movable[0];
    if (moved === undefined) return;
    shareOf(most).delete(moved);
    shareOf(least).add(moved);
  }
}
