import type { Topic } from '../../../topics/topic.js';
import type { Codec } from '../../codec.js';
import { pause } from '../../backoff.js';
import { reasonOf, TelltaleError } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { sharedRounds } from '../client/partition-counts.js';
import { logEnd, openLog } from '../consume/log-access.js';
import { connectLog, startPartitionReader, type PartitionReader } from '../consume/partition-reader.js';
import type { Delivery } from '../consume/read-from-broker.js';
import { AppliedPositions } from './applied-positions.js';
import { checkpointOf, decoderOf, startingPoint } from './follow-topic.js';
import { LogEnds } from './log-ends.js';
import { untilAvailable } from './until-available.js';
import type { ViewTarget } from './view-target.js';

export interface HeldPartitionsOptions<Value> {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly kafka: KafkaAccess;
  readonly metrics: Metrics;
  /** How long a question waits, milliseconds. */
  readonly timeoutMs?: number;
}

/** Some partitions of a compacted topic, each read into a target of its own and followed. */
export interface HeldPartitions<Value> {
  hold(partition: number, target: ViewTarget<Value>): void;
  /** Resolves once nothing of it is applied any more. */
  release(partition: number): Promise<void>;
  /** Whether all that the partition had when its reading began has been applied. */
  isCaughtUp(partition: number): boolean;
  /** Resolves once all that the partition had when asked is applied; KAFKA_UNREACHABLE where that takes too long. */
  upToDate(partition: number): Promise<void>;
  /** Like `upToDate`, and waits until no transaction that holds a record of the key is open (see CompactedView). */
  decided(partition: number, key: string): Promise<void>;
  /** How many partitions the topic has now. */
  countPartitions(): Promise<number>;
  stop(): Promise<void>;
}

interface Holding<Value> {
  readonly target: ViewTarget<Value>;
  /** Aborted once it is released. */
  readonly released: AbortController;
  /** Where the partition ended when its reading began; undefined before that. */
  goal: number | undefined;
  /** The beginning, and whatever is being applied. */
  working: Promise<unknown>;
}

/** Asked anew after an await: the compiler takes an earlier answer for still true. */
function isReleased({ released }: Pick<Holding<unknown>, 'released'>): boolean {
  return released.signal.aborted;
}

const undecidedPollMs = 5;
const retryMs = 200;

export function holdPartitions<Value>(options: HeldPartitionsOptions<Value>): HeldPartitions<Value> {
  const { topic, kafka, metrics, timeoutMs = 2_000 } = options;
  const { logger } = kafka;
  const log = openLog(topic.name, kafka);
  const ends = new LogEnds(log);
  const positions = new AppliedPositions();
  const holdings = new Map<number, Holding<Value>>();
  const stopped = new AbortController();
  const decode = decoderOf(options);

  const apply = async (delivery: Delivery): Promise<void> => {
    const { partition } = delivery;
    const holding = holdings.get(partition);
    const before = positions.of(partition);
    if (holding === undefined || delivery.position === before?.position) return;
    const reached = checkpointOf(delivery, before);
    holding.working = decode([delivery]).then((changes) =>
      holding.target.apply(changes, {
        clusterId: log.clusterId,
        topic: topic.name,
        savedAt: Date.now(),
        partitions: { [partition]: reached },
      }),
    );
    await holding.working;
    // Only now: whoever waits for a position reads the data right after.
    if (holdings.get(partition) === holding) positions.set(partition, reached);
  };
  const running = connectLog(log, logger, stopped.signal).then((connected): PartitionReader | undefined =>
    connected
      ? startPartitionReader({
          ...{ topic: topic.name, log, logger, metrics, from: new Map<number, number>() },
          deliver: async (deliveries) => {
            await Promise.all(deliveries.map(apply));
          },
        })
      : undefined,
  );
  const recount = sharedRounds(async () => {
    try {
      await log.recount();
    } catch (error) {
      // Who reads finds a broken connection by itself.
      if (holdings.size === 0) await log.refresh();
      else throw error;
    }
  });

  const begin = async (partition: number, holding: Holding<Value>): Promise<void> => {
    const reader = await running;
    while (reader !== undefined && !isReleased(holding)) {
      try {
        const start = (await startingPoint({ ...options, target: holding.target }, log, [partition])).get(
          partition,
        );
        const goal = (await log.offsets(new Map([[partition, logEnd]]))).get(partition);
        if (start === undefined || goal === undefined) throw new Error('Kafka did not say where it begins');
        if (isReleased(holding)) return;
        positions.set(partition, start);
        holding.goal = goal;
        reader.add(new Map([[partition, start.restartAt]]));
        return;
      } catch (error) {
        logger.warn(
          { event: 'view-not-started', topic: topic.name, partition, reason: reasonOf(error) },
          'the view of a partition can not begin yet; trying again',
        );
        await pause(retryMs, holding.released.signal);
        await recount().catch(() => undefined);
      }
    }
  };
  const unreachable = (): TelltaleError =>
    new TelltaleError('KAFKA_UNREACHABLE', { brokers: kafka.brokers.join(',') });
  const reachEnd = async (partition: number, deadline: number): Promise<void> => {
    const end = await untilAvailable(() => ends.of(partition), deadline);
    if (!(await positions.reached(partition, end, deadline))) throw unreachable();
  };
  const release = async (partition: number): Promise<void> => {
    const holding = holdings.get(partition);
    if (holding === undefined) return;
    holdings.delete(partition);
    holding.released.abort();
    positions.forget(partition);
    (await running)?.remove(partition);
    await holding.working.catch(() => undefined);
  };

  return {
    hold(partition, target) {
      const holding: Holding<Value> = {
        target,
        released: new AbortController(),
        goal: undefined,
        working: Promise.resolve(),
      };
      holdings.set(partition, holding);
      holding.working = begin(partition, holding);
    },
    release,
    isCaughtUp(partition) {
      const goal = holdings.get(partition)?.goal;
      return goal !== undefined && (positions.of(partition)?.position ?? -1) >= goal;
    },
    upToDate: (partition) => reachEnd(partition, Date.now() + timeoutMs),
    async decided(partition, key) {
      const deadline = Date.now() + timeoutMs;
      await reachEnd(partition, deadline);
      const reader = await running;
      const isRead = (): boolean => positions.of(partition) !== undefined;
      while (reader !== undefined && isRead() && reader.isUndecided(partition, key)) {
        if (Date.now() > deadline) throw unreachable();
        await pause(undecidedPollMs);
      }
      if (reader === undefined || !isRead()) throw unreachable();
      if (!(await positions.reached(partition, reader.positionOf(partition), deadline))) throw unreachable();
    },
    async countPartitions() {
      await running;
      await recount();
      return log.partitions.length;
    },
    async stop() {
      stopped.abort();
      const reader = await running;
      await Promise.all([...holdings.keys()].map(release));
      await reader?.stop();
      await log.close();
    },
  };
}
