import type { AssignedBatch } from '../kafka/consume/assigned-partition.js';

/** How long a partition pauses for each record that it returned. */
const restMsARecord = 5;
/** A shorter pause gathers nothing: a lone record waits for the fetch in progress anyway. */
const leastRestMs = 100;

export interface WaitLimits {
  /** How long a record may wait for others while there are many. */
  readonly busyMs: number;
  /** The longest wait for records after a rest: for the fetch that started during it, and for its own. */
  readonly fetchMs: number;
}

/** A clock and a timer; `after` doesn't keep the process alive. */
export interface Timing {
  now(): number;
  after(ms: number, action: () => void): void;
}

/**
 * The rests (pauses) of partitions that have been emptied. The more records there were, the longer the next
 * ones may gather, because an insert costs ClickHouse tens of milliseconds before its first row. A record
 * waits for the rest and for the fetch after it. So a rest is at most the longest wait minus the time of the
 * last such fetch.
 */
export class PartitionRests {
  /** When the rests of partitions ended that have returned nothing since. */
  private readonly ended = new Map<number, number>();
  private readonly lastFetchMs = new Map<number, number>();

  constructor(
    private readonly limits: WaitLimits,
    private readonly timing: Timing,
  ) {}

  /** To be called when the partition has returned records. */
  fetched(partition: number): void {
    const ended = this.ended.get(partition);
    if (ended === undefined) return;
    this.ended.delete(partition);
    this.lastFetchMs.set(partition, this.timing.now() - ended);
  }

  /** Pauses fetching this partition, so that its next insert has more rows; the other partitions continue. */
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
    // A partition without new records can take any time to return some: that is not the time of a fetch.
    return busyMs - Math.min(fetchMs, this.lastFetchMs.get(partition) ?? fetchMs);
  }
}
