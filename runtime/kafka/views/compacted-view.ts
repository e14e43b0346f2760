import { TelltaleError } from '../../errors.js';
import { pause, untilAvailable } from '../../backoff.js';
import { kafkaUnreachable } from '../client/kafka-access.js';
import { growthCheckMs, PartitionCounts, sharedRounds } from '../consume/topic-growth.js';
import { logStart, openLog } from '../consume/log-access.js';
import type { PartitionReader } from '../consume/partition-reader.js';
import { AppliedPositions } from './applied-positions.js';
import { followTopic, type CompactedViewOptions } from './follow-topic.js';
import { LogEnds } from './log-ends.js';
import type { Topic } from '../../../topics/topic.js';
import type { Appender } from '../produce/appender.js';

/** A compacted topic, which this process reads whole and follows. */
export interface CompactedView {
  /** Resolves when the condition is met: everything that the log had at the start is applied. */
  readonly caughtUp: Promise<void>;
  /** Throws VIEW_NOT_READ until then, because an incomplete target may lack a key, or its revocation. */
  requireCaughtUp(): void;
  /**
   * Resolves once everything that the key's partition had when asked is applied; KAFKA_UNREACHABLE where that takes too
   * long.
   */
  upToDate(key: string): Promise<void>;
  /**
   * Like `upToDate`, and waits until no open transaction has a record of the key, because a commit is confirmed before
   * its records can be read. For a key that was not found: one that is found may be in open transactions without end.
   */
  decided(key: string): Promise<void>;
  stop(): Promise<void>;
}

const undecidedPollMs = 5;

export function startCompactedView<Value>(options: CompactedViewOptions<Value>): CompactedView {
  const { topic, kafka, timeoutMs = 2_000 } = options;
  const log = openLog(topic.name, kafka);
  const ends = new LogEnds(log);
  const positions = new AppliedPositions();
  const counts = new PartitionCounts();
  const stopped = new AbortController();
  let reader: PartitionReader | undefined;
  let onCaughtUp!: () => void;
  let isCaughtUp = false;
  const caughtUp = new Promise<void>((resolve) => {
    onCaughtUp = () => {
      isCaughtUp = true;
      resolve();
    };
  });

  const running = followTopic(options, log, positions, onCaughtUp, stopped.signal).then((started) => {
    reader = started;
    counts.know(positions.count);
    counts.know(Object.keys(options.target.checkpoint()?.partitions ?? {}).length);
  });
  /** Reads the partitions that the topic has got since. */
  const followGrowth = sharedRounds(async () => {
    if (reader === undefined) return;
    await log.recount();
    const added = log.partitions.filter((id) => positions.of(id) === undefined);
    if (added.length === 0) return;
    const starts = await log.offsets(new Map(added.map((id) => [id, logStart])));
    kafka.logger.info(
      { event: 'view-topic-grown', topic: topic.name, partitions: added },
      'the topic has grown, and the view reads on',
    );
    for (const [id, at] of starts) positions.set(id, { position: at, restartAt: at, lastTimestamp: null });
    counts.know(positions.count);
    reader.add(starts);
  });
  const growth = setInterval(() => void followGrowth().catch(() => undefined), growthCheckMs).unref();
  const isUpToDate = async (key: string, deadline: number): Promise<boolean> => {
    const endReached = async (partition: number): Promise<boolean> =>
      positions.reached(partition, await untilAvailable(() => ends.of(partition), deadline), deadline);
    const known = counts.of(key);
    const [counted, inTime] = await Promise.all([
      untilAvailable(() => followGrowth().then(() => true), deadline),
      Promise.all(known.map(endReached)),
    ]);
    // The writer of the key may have known partitions of which this view had not heard yet.
    const added = counts.of(key).filter((partition) => !known.includes(partition));
    const all = [...inTime, ...(await Promise.all(added.map(endReached)))];
    return counted === true && all.length > 0 && all.every(Boolean);
  };

  return {
    caughtUp,
    requireCaughtUp() {
      if (!isCaughtUp) throw new TelltaleError('VIEW_NOT_READ', { topic: topic.name });
    },
    async upToDate(key) {
      if (!(await isUpToDate(key, Date.now() + timeoutMs))) throw kafkaUnreachable(kafka);
    },
    async decided(key) {
      const deadline = Date.now() + timeoutMs;
      if (!(await isUpToDate(key, deadline)) || reader === undefined) throw kafkaUnreachable(kafka);
      for (const partition of counts.of(key)) {
        while (reader.isUndecided(partition, key)) {
          if (Date.now() > deadline) throw kafkaUnreachable(kafka);
          await pause(undecidedPollMs);
        }
        if (!(await positions.reached(partition, reader.positionOf(partition), deadline)))
          throw kafkaUnreachable(kafka);
      }
    },
    async stop() {
      stopped.abort();
      clearInterval(growth);
      await running;
      await reader?.stop();
      await log.close();
    },
  };
}

interface RemovalsOptions {
  readonly topic: Topic;
  readonly appender: Pick<Appender, 'append'>;
  readonly view: Pick<CompactedView, 'upToDate'>;
}

/**
 * Removes keys from a compacted topic, and so from every view of it. Who asks for a removal that is under way waits for
 * that one: many requests at once find the same keys to be removed.
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
