import { partitionOf } from '../protocol/partitioning.js';

/** How long a writer may take to hear of a growth, with plenty to spare. */
const lateWritersMs = 3_600_000;

/**
 * The numbers of partitions that a topic has had while its records were kept: a key may be in the partition that any of
 * them gives. It is stored as text, so that a new process can learn it.
 */
export class PartitionHistory {
  /** When the topic last had each number of partitions, milliseconds since 1970; it has the largest one now. */
  private readonly counts = new Map<number, number>();

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** A broker reports this number. One that reports less than another has not heard of a growth yet. */
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
    return [...new Set(this.recent().map(([count]) => partitionOf(key, count)))];
  }

  private recent(): readonly (readonly [number, number])[] {
    const largest = this.largest();
    const oldest = this.now() - this.keptMs - lateWritersMs;
    return [...this.counts].filter(([count, last]) => count === largest || last > oldest);
  }

  private largest(): number | undefined {
    return this.counts.size === 0 ? undefined : Math.max(...this.counts.keys());
  }
}
