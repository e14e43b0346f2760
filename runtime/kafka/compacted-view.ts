import type { Topic } from '../../topics/topic.js';
import type { Codec } from '../codec.js';
import { reasonOf, TelltaleError } from '../errors.js';
import type { Condition } from '../health.js';
import type { Metrics } from '../metrics.js';
import { pause } from '../backoff.js';
import { reasonToRebuild, type Checkpoint, type PartitionCheckpoint } from './checkpoint.js';
import type { KafkaAccess } from './kafka-access.js';
import { logEnd, logStart, openLog, type LogAccess } from './log-access.js';
import { LogEnds } from './log-ends.js';
import { connectLog, startPartitionReader, type Delivery, type PartitionReader } from './partition-reader.js';
import { growthCheckMs, PartitionCounts, sharedRounds } from './partition-counts.js';

/** Where a view keeps what it has read. Applying the same changes again, or older ones later, must change nothing. */
export interface ViewTarget<Value> {
  /** How far the kept data goes; undefined where there is none. */
  checkpoint(): Checkpoint | undefined;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Takes the changes and the checkpoint, both or neither as seen by a later start. */
  apply(changes: readonly ViewChange<Value>[], checkpoint: Checkpoint): Promise<void>;
}

/** A null value is a deletion. */
export interface ViewChange<Value> {
  readonly key: string;
  readonly value: Value | null;
}

export interface CompactedViewOptions<Value> {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly target: ViewTarget<Value>;
  readonly kafka: KafkaAccess;
  /** Met once the view has read up to where the log ended when it started. */
  readonly condition: Condition;
  readonly metrics: Metrics;
  /** How long `upToDate` waits, milliseconds. */
  readonly patienceMs?: number;
}

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
  const { topic, kafka, patienceMs = 2_000 } = options;
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

  const running = follow(options, log, positions, { applied, onCaughtUp }, stopped.signal).then((started) => {
    reader = started;
    counts.know(positions.size);
    counts.know(Object.keys(options.target.checkpoint()?.partitions ?? {}).length);
  });
  /** Reads what the topic has been given since. */
  const followGrowth = sharedRounds(async () => {
    if (reader === undefined) return;
    await log.recount();
    const added = log.partitions.filter((id) => !positions.has(id));
    if (added.length === 0) return;
    const starts = await log.offsets(new Map(added.map((id) => [id, logStart])));
    kafka.logger.info({ topic: topic.name, partitions: added }, 'the topic has grown, and the view reads on');
    for (const [id, at] of starts) positions.set(id, { position: at, restartAt: at, lastTimestamp: null });
    counts.know(positions.size);
    reader.add(starts);
  });
  const growth = setInterval(() => void followGrowth().catch(() => undefined), growthCheckMs).unref();
  const isUpToDate = async (key: string, deadline: number): Promise<boolean> => {
    const endReached = async (partition: number): Promise<boolean> =>
      reached(partition, await patiently(() => ends.of(partition), deadline), deadline);
    const known = counts.of(key);
    const [counted, inTime] = await Promise.all([
      patiently(() => followGrowth().then(() => true), deadline),
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
      if (!(await isUpToDate(key, Date.now() + patienceMs))) throw unreachable();
    },
    async decided(key) {
      const deadline = Date.now() + patienceMs;
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
async function patiently<Answer>(ask: () => Promise<Answer>, deadline: number): Promise<Answer | undefined> {
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

/** Finds out where to begin, then reads on forever; undefined where it was stopped before it could begin. */
async function follow<Value>(
  options: CompactedViewOptions<Value>,
  log: LogAccess,
  positions: Map<number, PartitionCheckpoint>,
  { applied, onCaughtUp }: { readonly applied: () => void; readonly onCaughtUp: () => void },
  stopped: AbortSignal,
): Promise<PartitionReader | undefined> {
  const { topic, target, kafka, condition } = options;
  const { logger } = kafka;
  let goals = new Map<number, number>();
  while (!stopped.aborted) {
    if (!(await connectLog(log, logger, stopped))) return undefined;
    try {
      const start = await startingPoint(options, log);
      goals = new Map(await log.offsets(new Map(log.partitions.map((id) => [id, logEnd]))));
      for (const [id, at] of start) positions.set(id, at);
      break;
    } catch (error) {
      logger.warn({ topic: topic.name, reason: reasonOf(error) }, 'the view can not begin yet; trying again');
      await pause(200, stopped);
    }
  }
  if (stopped.aborted) return undefined;
  const checkProgress = (): void => {
    let missing = 0;
    for (const [id, goal] of goals) {
      const rest = goal - (positions.get(id)?.position ?? 0);
      if (rest <= 0) goals.delete(id);
      else missing += rest;
    }
    if (goals.size === 0) {
      condition.met();
      onCaughtUp();
    } else condition.unmet(`${missing} offsets of ${topic.name} are still to be read`);
  };
  checkProgress();
  const decode = decoderOf(options);
  return startPartitionReader({
    topic: topic.name,
    log,
    logger,
    metrics: options.metrics,
    from: new Map([...positions].map(([id, { restartAt }]) => [id, restartAt])),
    async deliver(deliveries) {
      const news = deliveries.filter(
        ({ partition, position }) => position !== positions.get(partition)?.position,
      );
      if (news.length === 0) return;
      const changes = await decode(news);
      const reached = new Map(positions);
      for (const delivery of news) reached.set(delivery.partition, checkpointOf(delivery, reached));
      await target.apply(changes, {
        clusterId: log.clusterId,
        topic: topic.name,
        savedAt: Date.now(),
        partitions: Object.fromEntries(reached),
      });
      // Only now: whoever waits for a position reads the data right after.
      for (const { partition } of news) positions.set(partition, reached.get(partition) ?? unread);
      applied();
      if (goals.size > 0) checkProgress();
    },
  });
}

const unread: PartitionCheckpoint = { position: 0, restartAt: 0, lastTimestamp: null };

function checkpointOf(
  { partition, position, restartAt, lastTimestamp }: Delivery,
  before: ReadonlyMap<number, PartitionCheckpoint>,
): PartitionCheckpoint {
  return {
    position,
    restartAt,
    lastTimestamp: lastTimestamp ?? before.get(partition)?.lastTimestamp ?? null,
  };
}

async function startingPoint<Value>(
  { topic, target, kafka: { logger } }: CompactedViewOptions<Value>,
  log: LogAccess,
): Promise<Map<number, PartitionCheckpoint>> {
  const checkpoint = target.checkpoint();
  const rebuild = await reasonToRebuild(checkpoint, topic.name, log, Date.now());
  const starts = await log.offsets(new Map(log.partitions.map((id) => [id, logStart])));
  if (rebuild !== undefined) {
    logger.info({ topic: topic.name, reason: rebuild }, 'the view is built from the start of the topic');
    await target.clear();
  }
  const kept = rebuild === undefined ? checkpoint?.partitions : undefined;
  return new Map(
    log.partitions.map((id) => {
      const start = starts.get(id) ?? 0;
      return [id, kept?.[id] ?? { position: start, restartAt: start, lastTimestamp: null }];
    }),
  );
}

/** A record that can't be decoded is counted and passed over; a registry that is away makes the delivery wait. */
function decoderOf<Value>({ topic, codec, kafka: { logger }, metrics }: CompactedViewOptions<Value>) {
  const undecodable = metrics.counter(
    'telltale_view_undecodable_records_total',
    'Records of compacted topics that a view could not decode.',
    ['topic'],
  );
  return async (deliveries: readonly Delivery[]): Promise<ViewChange<Value>[]> => {
    const changes: ViewChange<Value>[] = [];
    for (const { partition, records } of deliveries) {
      for (const { key, value, offset } of records) {
        if (key === null) continue;
        try {
          const decoded = value === null ? null : codec.decode(value);
          changes.push({
            key: key.toString(),
            value: decoded instanceof Promise ? await decoded : decoded,
          });
        } catch (error) {
          if (!(error instanceof TelltaleError) || error.code !== 'RECORD_UNDECODABLE') throw error;
          undecodable.inc({ topic: topic.name });
          logger.error(
            { topic: topic.name, partition, offset, reason: error.message },
            'a record was passed over',
          );
        }
      }
    }
    return changes;
  };
}
