import { TelltaleError } from '../../errors.js';
import { untilAvailable } from '../../backoff.js';
import { kafkaUnreachable } from '../client/kafka-access.js';
import { growthCheckMs, PartitionCounts, sharedRounds } from '../consume/topic-growth.js';
import { logStart, openLog, type LogAccess } from '../consume/log-access.js';
import type { PartitionReader } from '../consume/partition-reader.js';
import { AppliedPositions, LogEnds, isDecided } from './view-positions.js';
import { followTopic, type CompactedViewOptions } from './follow-topic.js';
import type { Topic } from '../../../topics/topic.js';
import type { Appender } from '../produce/appender.js';

/** A compacted topic that this process reads completely, and then follows. */
export interface CompactedView {
  /** Resolves when the condition is met: everything that the log had at the start is applied. */
  readonly caughtUp: Promise<void>;
  /** Throws VIEW_NOT_READ until then, because an incomplete target may lack a key, or its revocation. */
  requireCaughtUp(): void;
  /**
   * Resolves once everything that the key's partition had at the time of the call is applied. Rejects with
   * KAFKA_UNREACHABLE if that takes too long.
   */
  upToDate(key: string): Promise<void>;
  /**
   * Like `upToDate`, but also waits until no open transaction has a record of the key, because a commit is
   * confirmed before its records can be read. Only for a key that was not found: an existing key may always
   * be in some open transaction.
   */
  decided(key: string): Promise<void>;
  stop(): Promise<void>;
}

export function startCompactedView<Value>(options: CompactedViewOptions<Value>): CompactedView {
  return new FollowedTopic(options);
}

class FollowedTopic<Value> implements CompactedView {
  readonly caughtUp: Promise<void>;
  private isCaughtUp = false;
  private readonly timeoutMs: number;
  private readonly log: LogAccess;
  private readonly ends: LogEnds;
  private readonly positions = new AppliedPositions();
  private readonly counts = new PartitionCounts();
  private readonly stopped = new AbortController();
  private readonly running: Promise<void>;
  private reader: PartitionReader | undefined;
  private readonly followGrowth = sharedRounds(() => this.readAdded());
  private readonly growth: NodeJS.Timeout;

  constructor(private readonly options: CompactedViewOptions<Value>) {
    this.timeoutMs = options.timeoutMs ?? 2_000;
    this.log = openLog(options.topic.name, options.kafka);
    this.ends = new LogEnds(this.log);
    let onCaughtUp!: () => void;
    this.caughtUp = new Promise((resolve) => {
      onCaughtUp = () => {
        this.isCaughtUp = true;
        resolve();
      };
    });
    this.running = this.start(onCaughtUp);
    this.growth = setInterval(() => void this.followGrowth().catch(() => undefined), growthCheckMs).unref();
  }

  requireCaughtUp(): void {
    if (!this.isCaughtUp) throw new TelltaleError('VIEW_NOT_READ', { topic: this.options.topic.name });
  }

  async upToDate(key: string): Promise<void> {
    if (!(await this.isUpToDate(key, Date.now() + this.timeoutMs)))
      throw kafkaUnreachable(this.options.kafka);
  }

  async decided(key: string): Promise<void> {
    const { counts, positions } = this;
    const deadline = Date.now() + this.timeoutMs;
    const isUpToDate = await this.isUpToDate(key, deadline);
    const { reader } = this;
    if (!isUpToDate || reader === undefined) throw kafkaUnreachable(this.options.kafka);
    for (const partition of counts.of(key))
      if (!(await isDecided(reader, positions, { partition, key, deadline })))
        throw kafkaUnreachable(this.options.kafka);
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    clearInterval(this.growth);
    await this.running;
    await this.reader?.stop();
    await this.log.close();
  }

  private async start(onCaughtUp: () => void): Promise<void> {
    const { options, log, positions, counts, stopped } = this;
    this.reader = await followTopic(options, log, positions, onCaughtUp, stopped.signal);
    counts.know(positions.count);
    counts.know(Object.keys(options.target.checkpoint()?.partitions ?? {}).length);
  }

  /** Starts to read the partitions that were added to the topic. */
  private async readAdded(): Promise<void> {
    const { reader, log, positions, counts, options } = this;
    if (reader === undefined) return;
    await log.recount();
    const added = log.partitions.filter((id) => positions.of(id) === undefined);
    if (added.length === 0) return;
    const starts = await log.offsets(new Map(added.map((id) => [id, logStart])));
    options.kafka.logger.info(
      { event: 'view-topic-grown', topic: options.topic.name, partitions: added },
      'the topic has grown; reading the new partitions',
    );
    for (const [id, at] of starts) positions.set(id, { position: at, restartAt: at, lastTimestamp: null });
    counts.know(positions.count);
    reader.add(starts);
  }

  private async isUpToDate(key: string, deadline: number): Promise<boolean> {
    const { counts } = this;
    const known = counts.of(key);
    const [counted, inTime] = await Promise.all([
      untilAvailable(() => this.followGrowth().then(() => true), deadline),
      Promise.all(known.map((partition) => this.hasReachedEnd(partition, deadline))),
    ]);
    // The writer of the key may have known partitions that this view did not know about yet.
    const added = counts.of(key).filter((partition) => !known.includes(partition));
    const more = await Promise.all(added.map((partition) => this.hasReachedEnd(partition, deadline)));
    const all = [...inTime, ...more];
    return counted === true && all.length > 0 && all.every(Boolean);
  }

  private async hasReachedEnd(partition: number, deadline: number): Promise<boolean> {
    const end = await untilAvailable(() => this.ends.of(partition), deadline);
    return this.positions.reached(partition, end, deadline);
  }
}

interface RemovalsOptions {
  readonly topic: Topic;
  readonly appender: Pick<Appender, 'append'>;
  readonly view: Pick<CompactedView, 'upToDate'>;
}

/**
 * Removes keys from a compacted topic, and so from every view of it. Callers share a removal in progress,
 * because many concurrent requests find the same keys to remove.
 */
export function removalsOf({ topic, appender, view }: RemovalsOptions): (key: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const remove = async (key: string): Promise<void> => {
    try {
      await appender.append([{ topic: topic.name, key, value: null }]);
      await view.upToDate(key).catch(() => undefined);
    } finally {
      underWay.delete(key);
    }
  };
  return (key) => {
    const removal = underWay.get(key) ?? remove(key);
    underWay.set(key, removal);
    return removal;
  };
}
