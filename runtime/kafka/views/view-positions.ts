import { pause } from '../../backoff.js';
import type { PartitionReader } from '../consume/partition-reader.js';
import type { PartitionCheckpoint } from './view-target.js';
import { type LogAccess, logEnd } from '../consume/log-access.js';

interface Waiter {
  readonly end: number;
  readonly settle: (inTime: boolean) => void;
}

/** How far each partition has been applied, and the callers that wait for more. */
export class AppliedPositions {
  private readonly positions = new Map<number, PartitionCheckpoint>();
  private readonly waiters = new Map<number, Set<Waiter>>();

  get count(): number {
    return this.positions.size;
  }

  of(partition: number): PartitionCheckpoint | undefined {
    return this.positions.get(partition);
  }

  entries(): IterableIterator<[number, PartitionCheckpoint]> {
    return this.positions.entries();
  }

  set(partition: number, at: PartitionCheckpoint): void {
    this.positions.set(partition, at);
    for (const waiter of this.waiters.get(partition) ?? [])
      if (at.position >= waiter.end) waiter.settle(true);
  }

  /** Stops following the partition; callers that wait for it get false. */
  forget(partition: number): void {
    this.positions.delete(partition);
    for (const waiter of this.waiters.get(partition) ?? []) waiter.settle(false);
  }

  /** Whether everything before `end` is applied by the deadline, milliseconds since 1970. */
  async reached(partition: number, end: number | undefined, deadline: number): Promise<boolean> {
    if (end === undefined) return false;
    if ((this.positions.get(partition)?.position ?? -1) >= end) return true;
    const waiters = this.waitersOf(partition);
    return new Promise<boolean>((resolve) => {
      const settle = (inTime: boolean): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
        resolve(inTime);
      };
      const timer = setTimeout(() => settle(false), deadline - Date.now());
      const waiter: Waiter = { end, settle };
      waiters.add(waiter);
    });
  }

  private waitersOf(partition: number): Set<Waiter> {
    let waiters = this.waiters.get(partition);
    if (waiters === undefined) this.waiters.set(partition, (waiters = new Set()));
    return waiters;
  }
}

const undecidedPollMs = 5;

/**
 * Waits until no open transaction has a record of the key, and everything read until then is applied. False
 * if the deadline passes first, or the partition is no longer followed.
 */
export async function isDecided(
  reader: PartitionReader,
  positions: AppliedPositions,
  of: { readonly partition: number; readonly key: string; readonly deadline: number },
): Promise<boolean> {
  const { partition, key, deadline } = of;
  const isFollowed = (): boolean => positions.of(partition) !== undefined;
  while (isFollowed() && reader.isUndecided(partition, key)) {
    if (Date.now() > deadline) return false;
    await pause(undecidedPollMs);
  }
  return isFollowed() && positions.reached(partition, reader.positionOf(partition), deadline);
}

type Log = Pick<LogAccess, 'byLeader' | 'offsets'>;

/**
 * The log ends of partitions at the time of the call. Each leader is asked separately, so that one that does
 * not answer does not delay the others.
 */
export class LogEnds {
  private readonly leaders = new Map<string, EndsOfLeader>();

  constructor(private readonly log: Log) {}

  /** The high watermark; rejects if the partition has no leader, or the leader does not answer. */
  async of(partition: number): Promise<number> {
    const [leader = ''] = this.log.byLeader([partition]).keys();
    let ends = this.leaders.get(leader);
    if (ends === undefined) this.leaders.set(leader, (ends = new EndsOfLeader(this.log)));
    return ends.of(partition);
  }
}

/**
 * Calls within one millisecond, or while an earlier request is in flight, share a request. No call is
 * answered by a request that was sent before it.
 */
class EndsOfLeader {
  private waiting: Round | undefined;
  private inFlight = false;

  constructor(private readonly log: Pick<Log, 'offsets'>) {}

  async of(partition: number): Promise<number> {
    this.waiting ??= this.openRound();
    const round = this.waiting;
    round.partitions.add(partition);
    const end = (await round.answer).get(partition);
    if (end === undefined) throw new Error(`Kafka returned no end offset for partition ${partition}`);
    return end;
  }

  private openRound(): Round {
    let resolve!: Round['resolve'];
    let reject!: Round['reject'];
    const answer = new Promise<ReadonlyMap<number, number>>((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    if (!this.inFlight) this.sendSoon();
    return { partitions: new Set(), answer, resolve, reject };
  }

  private sendSoon(): void {
    this.inFlight = true;
    setTimeout(() => void this.send(), 1);
  }

  private async send(): Promise<void> {
    const round = this.takeWaiting();
    if (round !== undefined) {
      await this.log
        .offsets(new Map([...round.partitions].map((partition) => [partition, logEnd])))
        .then(round.resolve, round.reject);
    }
    this.inFlight = false;
    if (this.waiting !== undefined) this.sendSoon();
  }

  private takeWaiting(): Round | undefined {
    const round = this.waiting;
    this.waiting = undefined;
    return round;
  }
}

interface Round {
  readonly partitions: Set<number>;
  readonly answer: Promise<ReadonlyMap<number, number>>;
  readonly resolve: (ends: ReadonlyMap<number, number>) => void;
  readonly reject: (error: unknown) => void;
}
