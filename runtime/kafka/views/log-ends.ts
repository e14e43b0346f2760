import { logEnd, type LogAccess } from '../consume/log-access.js';

type Log = Pick<LogAccess, 'byLeader' | 'offsets'>;

/**
 * The ends of partitions at the time of the question. Each leader is asked separately, so that one that does not answer
 * delays no questions to others.
 */
export class LogEnds {
  private readonly leaders = new Map<string, EndsOfLeader>();

  constructor(private readonly log: Log) {}

  /** The high watermark; rejects where the partition has no leader, or the leader does not answer. */
  async of(partition: number): Promise<number> {
    const [leader = ''] = this.log.byLeader([partition]).keys();
    let ends = this.leaders.get(leader);
    if (ends === undefined) this.leaders.set(leader, (ends = new EndsOfLeader(this.log)));
    return ends.of(partition);
  }
}

/**
 * Questions within one millisecond, or while an earlier answer is on its way, share a request. No question is answered
 * by a request that was sent before it.
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
    if (end === undefined) throw new Error(`Kafka did not say where partition ${partition} ends`);
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
