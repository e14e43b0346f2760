import { partitionOf } from '../protocol/partitioning.js';

/** The numbers of partitions that a topic has had, as far as this process knows. */
export class PartitionCounts {
  private readonly counts = new Set<number>();

  know(count: number): void {
    if (count > 0) this.counts.add(count);
  }

  /** Every partition that may have records of the key: writers learn of a growth at different times. */
  of(key: string | Buffer): readonly number[] {
    return [...new Set([...this.counts].map((count) => partitionOf(key, count)))];
  }
}

/** How often a reader without a group asks whether its topic has grown. */
export const growthCheckMs = 1_000;

/** Calls that come while a round is under way share the next one, which begins after they were made. */
export function sharedRounds(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    const begun = work().finally(() => {
      if (running === begun) running = undefined;
    });
    running = begun;
    return begun;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
