import { partitionOf } from '../protocol/produce-request.js';
import { logEnd, type LogAccess } from './log-access.js';

/** The partition of the key under each of these partition counts, without duplicates. */
const partitionsAt = (counts: readonly number[], key: string | Buffer): readonly number[] => [
  ...new Set(counts.map((count) => partitionOf(key, count))),
];

/** The partition counts that a topic has had, as far as this process knows. */
export class PartitionCounts {
  private readonly counts = new Set<number>();

  know(count: number): void {
    if (count > 0) this.counts.add(count);
  }

  /** Every partition that may have records of the key: writers learn of a growth at different times. */
  of(key: string | Buffer): readonly number[] {
    return partitionsAt([...this.counts], key);
  }
}

/** Former counts are kept longer than the records: without them, a record's partition can't be found. */
const historyMarginMs = 3_600_000;

/**
 * The partition counts that a topic has had while its records were kept: a key may be in the partition that
 * any of them gives. It is stored as text, so that a new process can learn it.
 */
export class PartitionHistory {
  /** When the topic last had each count, milliseconds since 1970; 0 for the present one, the largest. */
  private readonly counts = new Map<number, number>();

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Takes a broker's count. A broker that reports fewer than another does not know about a growth yet. */
  know(count: number): void {
    const last = this.largest() ?? 0;
    if (count <= last) return;
    if (last > 0) this.counts.set(last, this.now());
    this.counts.set(count, 0);
  }

  /** Imports what another process has saved, and ignores text that is not a history. */
  learn(text: string): void {
    try {
      for (const [count, last] of Object.entries(JSON.parse(text) as Record<string, number>)) {
        if (!Number.isInteger(Number(count)) || Number(count) < 1 || typeof last !== 'number') continue;
        this.counts.set(Number(count), Math.max(last, this.counts.get(Number(count)) ?? 0));
      }
    } catch {
      // Nothing is stored yet.
    }
    // The topic may have grown while no process watched it.
    for (const [count, last] of this.counts)
      if (last === 0 && count !== this.largest()) this.counts.set(count, this.now());
  }

  text(): string {
    return JSON.stringify(Object.fromEntries(this.recent()));
  }

  /** Every partition that may hold records of the key. */
  of(key: string): readonly number[] {
    return partitionsAt(
      this.recent().map(([count]) => count),
      key,
    );
  }

  private recent(): readonly (readonly [number, number])[] {
    const largest = this.largest();
    const oldest = this.now() - this.keptMs - historyMarginMs;
    return [...this.counts].filter(([count, last]) => count === largest || last > oldest);
  }

  private largest(): number | undefined {
    return this.counts.size === 0 ? undefined : Math.max(...this.counts.keys());
  }
}

/** How long a writer can take to learn of a growth, with a margin. */
const lateWritersMs = 60_000;

/**
 * The partitions that may have records of a key appended from `since` on (milliseconds since 1970; ever if
 * absent). The partition under the present partition count comes first, then those under every smaller count
 * that the topic may have had.
 */
export async function partitionsOfKey(
  log: Pick<LogAccess, 'partitions' | 'hasLeader' | 'offsets'>,
  key: string,
  since?: number,
): Promise<readonly number[]> {
  const least = since === undefined ? 1 : await leastCount(log, since - lateWritersMs);
  const counts = Array.from({ length: log.partitions.length - least + 1 }, (_, index) => least + index);
  return partitionsAt(counts.reverse(), key);
}

/** A lower bound of the partition count at `time`: the last partition with an earlier record existed then. */
async function leastCount(
  { partitions, hasLeader, offsets }: Pick<LogAccess, 'partitions' | 'hasLeader' | 'offsets'>,
  time: number,
): Promise<number> {
  const led = partitions.filter(hasLeader);
  const at = (when: number) => offsets(new Map(led.map((id) => [id, when])));
  const [later, ends] = await Promise.all([at(time), at(logEnd)]);
  const none = -1;
  const endThen = (id: number): number => {
    const first = later.get(id) ?? none;
    return first === none ? (ends.get(id) ?? 0) : first;
  };
  return 1 + Math.max(0, ...led.filter((id) => endThen(id) > 0));
}

/** How often a reader without a group checks for new partitions. Callers waiting for a key check at once. */
export const growthCheckMs = 5_000;

/** Calls made while a round is in progress share the next one, which starts after they were made. */
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
