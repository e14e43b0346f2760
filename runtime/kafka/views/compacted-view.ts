import { TelltaleError } from '../../errors.js';
import { pause } from '../../backoff.js';
import { growthCheckMs, PartitionCounts, sharedRounds } from '../client/partition-counts.js';
import { logStart, openLog } from '../consume/log-access.js';
import type { PartitionReader } from '../consume/partition-reader.js';
import type { PartitionCheckpoint } from './checkpoint.js';
import { followTopic, type CompactedViewOptions } from './follow-topic.js';
import { LogEnds } from './log-ends.js';

/** A compacted topic, read whole by this process and followed. */
export interface CompactedView {
  /** Resolves when the condition is met: all that the log held at the start has been applied. */
  readonly caughtUp: Promise<void>;
  /** Resolves once all that the key's partition held when asked is applied; KAFKA_UNREACHABLE where that takes too long. */
  upToDate(key: string): Promise<void>;
  /**
   * Like `upToDate`, and waits until no transaction that holds a record of the key is open: a commit is confirmed before
   * its records can be read. For a key that is not there: one that is there may be in transactions without end.
   */
  decided(key: string): Promise<void>;
  stop(): Promise<void>;
}

const undecidedPollMs = 5;

interface Waiter {
  readonly partition: number;
  readonly end: number;
  readonly resolve: () => void;
}

export function startCompactedView<Value>(options: CompactedViewOptions<Value>): CompactedView {
  const { topic, kafka, timeoutMs = 2_000 } = options;
  const log = openLog(topic.name, kafka);
  const ends = new LogEnds(log);
  const positions = new Map<number, PartitionCheckpoint>();
  const counts = new PartitionCounts();
  const waiters = new Set<Waiter>();
  const stopped = new AbortController();
  let reader: PartitionReader | undefined;
  let onCaughtUp!: () => void;
  const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));

  const applied = (): void => {
    for (const waiter of waiters) {
      if ((positions.get(waiter.partition)?.position ?? 0) < waiter.end) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  };
  const reached = async (partition: number, end: number | undefined, deadline: number): Promise<boolean> => {
    if (end === undefined) return false;
    if ((positions.get(partition)?.position ?? -1) >= end) return true;
    return new Promise<boolean>((resolve) => {
      const waiter: Waiter = { partition, end, resolve: () => finish(true) };
      const timer = setTimeout(() => finish(false), deadline - Date.now());
      const finish = (inTime: boolean): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
        resolve(inTime);
      };
      waiters.add(waiter);
    });
  };

  const unreachable = (): TelltaleError =>
    new TelltaleError('KAFKA_UNREACHABLE', { brokers: kafka.brokers.join(',') });

  const running = followTopic(options, log, positions, { applied, onCaughtUp }, stopped.signal).then(
    (started) => {
      reader = started;
      counts.know(positions.size);
      counts.know(Object.keys(options.target.checkpoint()?.partitions ?? {}).length);
    },
  );
  /** Reads what the topic has been given since. */
  const followGrowth = sharedRounds(async () => {
    if (reader === undefined) return;
    await log.recount();
    const added = log.partitions.filter((id) => !positions.has(id));
    if (added.length === 0) return;
    const starts = await log.offsets(new Map(added.map((id) => [id, logStart])));
    kafka.logger.info(
      { event: 'view-topic-grown', topic: topic.name, partitions: added },
      'the topic has grown, and the view reads on',
    );
    for (const [id, at] of starts) positions.set(id, { position: at, restartAt: at, lastTimestamp: null });
    counts.know(positions.size);
    reader.add(starts);
  });
  const growth = setInterval(() => void followGrowth().catch(() => undefined), growthCheckMs).unref();
  const isUpToDate = async (key: string, deadline: number): Promise<boolean> => {
    const endReached = async (partition: number): Promise<boolean> =>
      reached(partition, await untilAvailable(() => ends.of(partition), deadline), deadline);
    const known = counts.of(key);
    const [counted, inTime] = await Promise.all([
      untilAvailable(() => followGrowth().then(() => true), deadline),
      Promise.all(known.map(endReached)),
    ]);
    // Whoever wrote the key may have known of partitions that this view had not heard of yet.
    const added = counts.of(key).filter((partition) => !known.includes(partition));
    const all = [...inTime, ...(await Promise.all(added.map(endReached)))];
    return counted === true && all.length > 0 && all.every(Boolean);
  };

  return {
    caughtUp,
    async upToDate(key) {
      if (!(await isUpToDate(key, Date.now() + timeoutMs))) throw unreachable();
    },
    async decided(key) {
      const deadline = Date.now() + timeoutMs;
      if (!(await isUpToDate(key, deadline)) || reader === undefined) throw unreachable();
      for (const partition of counts.of(key)) {
        while (reader.isUndecided(partition, key)) {
          if (Date.now() > deadline) throw unreachable();
          await pause(undecidedPollMs);
        }
        if (!(await reached(partition, reader.positionOf(partition), deadline))) throw unreachable();
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

/** Asks until there is an answer or the deadline has passed. */
async function untilAvailable<Answer>(
  ask: () => Promise<Answer>,
  deadline: number,
): Promise<Answer | undefined> {
  const expired = new AbortController();
  const timer = setTimeout(() => expired.abort(), Math.max(0, deadline - Date.now()));
  const timeout = new Promise<undefined>((resolve) =>
    expired.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  try {
    while (!expired.signal.aborted) {
      try {
        return await Promise.race([ask(), timeout]);
      } catch {
        // Leader changes and restarts pass; the deadline decides how long they may take.
        await pause(25, expired.signal);
      }
    }
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
