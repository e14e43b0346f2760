import type { Admin, Consumer } from 'kafkajs';
import { TelltaleError, reasonOf } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import { createKafka } from '../client/client.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { type AssignedBatch, assignedBatch } from './assigned-partition.js';
import { openLastingConsumer } from './lasting-consumer.js';
import { readTopicId, withAdmin } from '../client/admin.js';
import { kafkaError } from '../protocol/kafka-error.js';
import type { ConsumedTopic } from './group-lag.js';
import type { Logger } from '../../logging.js';

/** The position of a group in one partition, and the bounds of the partition. */
export interface GroupPosition {
  /** The next offset to read; -1 if nothing is committed. */
  readonly committed: number;
  /** The metadata of that commit. */
  readonly metadata: string | null;
  readonly logStart: number;
  readonly logEnd: number;
}

interface GroupConsumerOptions {
  readonly kafka: KafkaAccess;
  readonly groupId: string;
  readonly topic: string;
  /** The topic's partition count: all of them may be processed at the same time. */
  readonly partitions: number;
  readonly fetch: {
    readonly maxWaitTimeInMs: number;
    readonly minBytes?: number;
    readonly maxBytesPerPartition?: number;
    readonly maxBytes?: number;
  };
  /** After this long without a record, fetches wait longer, but only for one record; never by default. */
  readonly idleAfterMs?: number;
  /** After a member has been silent for this long, the group assigns its partitions to others. */
  readonly sessionTimeoutMs: number;
  readonly metrics: Metrics;
  /** Ends the process: the group makes no progress, or another process has joined under this one's name. */
  readonly fatal: (error: TelltaleError) => void;
  /** This member's partitions after a rebalance. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /**
   * The library has read `first` to `last` and delivers none of it: these are control records and aborted
   * ones. A caller with its own position has to advance it, or it would take the next records for a gap.
   */
  readonly onSkipped: (partition: number, first: number, last: number) => void;
  /** The consumer has failed and restarts by itself; `onAssigned` follows. */
  readonly onCrash: () => void;
}

/** A consumer group member that survives any outage. The caller commits, not the library. */
export interface GroupConsumer {
  /** The present position of the group, from the coordinator. */
  readonly position: (partition: number) => Promise<GroupPosition>;
  /** The id of the topic; undefined if Kafka gives it none. */
  readonly topicId: () => Promise<string | undefined>;
  readonly watch: LagWatch;
  seek(partition: number, offset: number): void;
  run(eachBatch: (batch: AssignedBatch) => Promise<void>): Promise<void>;
  /** Stops fetching and waits for the batches under way; then runs `whileStopped` before the connections close. */
  stop(whileStopped: () => Promise<void> | void): Promise<void>;
}

export async function openGroupConsumer(options: GroupConsumerOptions): Promise<GroupConsumer> {
  const { kafka, groupId, topic, metrics, fatal } = options;
  const admin = createKafka(kafka).admin();
  await admin.connect();
  const { consumer, run, stop } = openLastingConsumer(options);
  const watch = watchLag({ admin, groupId, topic, logger: kafka.logger, metrics, fatal });
  listen(consumer, watch, options);
  let asking: Promise<string | undefined> | undefined;
  return {
    position: (partition) => readGroupPosition(admin, { groupId, topic }, partition),
    // Partitions that are acquired together share one request, because each opens its own connections.
    topicId: () => (asking ??= readTopicId(kafka, topic).finally(() => (asking = undefined))),
    watch,
    seek: (partition, offset) => consumer.seek({ topic, partition, offset: String(offset) }),
    run: (eachBatch) =>
      run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: options.partitions,
        eachBatch: (payload) => eachBatch(assignedBatch(payload)),
      }),
    async stop(whileStopped) {
      watch.stop();
      await stop();
      await whileStopped();
      await consumer.disconnect();
      await admin.disconnect();
    },
  };
}

function listen(
  consumer: Consumer,
  watch: LagWatch,
  { kafka, groupId, topic, onAssigned, onSkipped }: GroupConsumerOptions,
): void {
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = [...(payload.memberAssignment[topic] ?? [])].sort((a, b) => a - b);
    watch.assigned(partitions);
    kafka.logger.info({ event: 'partitions-assigned', groupId, topic, partitions }, 'partitions assigned');
    onAssigned(partitions);
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (payload.batchSize > 0) return;
    const last = Number(payload.lastOffset);
    watch.skippedTo(payload.partition, last + 1);
    onSkipped(payload.partition, Number(payload.firstOffset), last);
  });
}

const unknownPartition = 3;

async function readGroupPosition(
  admin: Admin,
  { groupId, topic }: ConsumedTopic,
  partition: number,
): Promise<GroupPosition> {
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
  // Read after the commit, so that the log's end is not before it.
  const ends = await admin.fetchTopicOffsets(topic);
  const position = committed?.partitions.find((found) => found.partition === partition);
  const log = ends.find((found) => found.partition === partition);
  // A broker that doesn't know about a growth yet omits the new partition, which may still have a commit.
  if (position === undefined || log === undefined) throw kafkaError(unknownPartition);
  return {
    committed: Number(position.offset),
    metadata: position.metadata,
    logStart: Number(log.low),
    logEnd: Number(log.high),
  };
}

/** The commits of a group in each partition of a topic. */
export function readCommits(
  kafka: KafkaAccess,
  { groupId, topic }: ConsumedTopic,
): Promise<readonly (Pick<GroupPosition, 'committed' | 'metadata'> & { readonly partition: number })[]> {
  return withAdmin(kafka, async (admin) => {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return (found?.partitions ?? []).map(({ partition, offset, metadata }) => ({
      partition,
      committed: Number(offset),
      metadata,
    }));
  });
}

interface LagWatchOptions {
  readonly admin: Admin;
  readonly groupId: string;
  readonly topic: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fatal: (error: TelltaleError) => void;
}

interface LagWatch {
  assigned(partitions: readonly number[]): void;
  /** To be called on progress, and while waiting for a known dependency. */
  progressed(): void;
  /** The partition has been read up to this offset, and nothing uncommitted before it is for the group. */
  skippedTo(partition: number, next: number): void;
  stop(): void;
}

const everyMs = 10_000;
const standstillMs = 180_000;

/**
 * Measures the group's lag, and ends the process if there is lag but no progress: a hung client looks healthy
 * from inside, and after a restart other members acquire its partitions.
 */
function watchLag({ admin, groupId, topic, logger, metrics, fatal }: LagWatchOptions): LagWatch {
  const gauge = metrics.gauge('telltale_consumer_lag_records', 'Records between the group and the log end.', [
    'group',
    'topic',
    'partition',
  ]);
  let mine: ReadonlySet<number> = new Set();
  const skipped = new Map<number, number>();
  let movedAt = Date.now();

  const look = async (): Promise<void> => {
    const [ends, [committed]] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
    ]);
    let lag = 0;
    for (const { partition, high, low } of ends) {
      if (!mine.has(partition)) continue;
      const offset = Number(
        committed?.partitions.find((found) => found.partition === partition)?.offset ?? -1,
      );
      const behind = Math.max(0, Number(high) - Math.max(offset, Number(low), skipped.get(partition) ?? 0));
      gauge.set({ group: groupId, topic, partition: String(partition) }, behind);
      lag += behind;
    }
    if (lag === 0) movedAt = Date.now();
    else if (Date.now() - movedAt > standstillMs) {
      fatal(
        new TelltaleError('CONSUMER_STUCK', { group: groupId, topic, lag, seconds: standstillMs / 1_000 }),
      );
    }
  };

  const timer = setInterval(() => {
    // An unavailable broker is an outage, not a stuck group.
    look().catch((error: unknown) => {
      movedAt = Date.now();
      logger.debug(
        { event: 'group-lag-unknown', groupId, topic, reason: reasonOf(error) },
        'lag cannot be measured now',
      );
    });
  }, everyMs);
  timer.unref();
  return {
    assigned(partitions) {
      // Another member reports the partitions that were revoked: a gauge that stays would report a lag that
      // no member has.
      for (const partition of mine)
        if (!partitions.includes(partition))
          gauge.remove({ group: groupId, topic, partition: String(partition) });
      mine = new Set(partitions);
      skipped.clear();
      movedAt = Date.now();
    },
    progressed: () => void (movedAt = Date.now()),
    skippedTo: (partition, next) => void skipped.set(partition, next),
    stop: () => clearInterval(timer),
  };
}
