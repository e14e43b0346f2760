import type { AssignedBatch } from '../kafka/consume/assigned-partition.js';

/** How long a partition pauses for each record that it returned. */
const restMsARecord = 5;
/** A shorter pause gathers nothing: a record that comes alone waits for the fetch under way in any case. */
const leastRestMs = 100;

export interface WaitLimits {
  /** How long a record may wait for others where there are many. */
  readonly busyMs: number;
  /** The longest that a partition waits for records after its rest: for the fetch that began during it, and for its own. */
  readonly fetchMs: number;
}

/** What passes time; `after` doesn't keep the process alive. */
export interface Timing {
  now(): number;
  after(ms: number, action: () => void): void;
}

/**
 * The rests of partitions that have been emptied: the more records there were, the longer the next ones may gather,
 * because an insert costs ClickHouse tens of milliseconds before its first row. A record waits for the rest and for the
 * fetch after it, so a rest is what the last such fetch has left of the longest wait.
 */
export class PartitionRests {
  /** When the rest of a partition ended that has returned nothing since. */
  private readonly ended = new Map<number, number>();
  private readonly lastFetchMs = new Map<number, number>();

  constructor(
    private readonly limits: WaitLimits,
    private readonly timing: Timing,
  ) {}

  /** The partition has returned records. */
  fetched(partition: number): void {
    const ended = this.ended.get(partition);
    if (ended === undefined) return;
    this.ended.delete(partition);
    this.lastFetchMs.set(partition, this.timing.now() - ended);
  }

  /** Does not fetch this partition for a while, so that its next insert has more rows; the other partitions continue. */
  begin(batch: Pick<AssignedBatch, 'partition' | 'isRunning' | 'pause'>, records: number): void {
    const ms = Math.min(this.mostMs(batch.partition), records * restMsARecord);
    if (ms < leastRestMs || !batch.isRunning()) return;
    const resume = batch.pause();
    this.timing.after(ms, () => {
      this.ended.set(batch.partition, this.timing.now());
      resume();
    });
  }

  private mostMs(partition: number): number {
    const { busyMs, fetchMs } = this.limits;
    // A partition without records takes any time to return some; that is no fetch's time.
    return busyMs - Math.min(fetchMs, this.lastFetchMs.get(partition) ?? fetchMs);
  }
}
