import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Consumer, type ConsumerRunConfig, type PartitionAssigner } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { reasonOf, TelltaleError } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Metrics } from '../../metrics.js';
import { createKafka } from '../client/client.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { isFencedMember, joinAsStaticMember } from '../protocol/static-group-requests.js';
import { assignedBatch, type AssignedBatch } from './assigned-batch.js';
import { readGroupPosition, type GroupPosition } from './group-position.js';
import { watchLag, type LagWatch } from './lag-watch.js';

export interface GroupConsumerOptions {
  readonly kafka: KafkaAccess;
  readonly groupId: string;
  readonly topic: string;
  /** All partitions of the topic may be worked on at the same time. */
  readonly partitions: number;
  readonly fetch: {
    readonly maxWaitTimeInMs: number;
    readonly minBytes?: number;
    readonly maxBytesPerPartition?: number;
    readonly maxBytes?: number;
  };
  /** After so long without a sign of life its partitions are given to others. */
  readonly sessionTimeoutMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Ends the process: the group stands still, or an error that nobody knows. */
  readonly fatal: (error: TelltaleError) => void;
  /** This member's partitions since a rebalance. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /**
   * The library has read past `first` to `last` by itself and shows none of it: control records and aborted ones. Whoever
   * keeps a position of its own has to follow, or would take what comes next for a skip.
   */
  readonly onPassedOver: (partition: number, first: number, last: number) => void;
  /** The consumer fails and starts again by itself; `onAssigned` follows. */
  readonly onCrash: () => void;
}

/** A member of a consumer group that commits by itself, never the library, and that outlives any outage. */
export interface GroupConsumer {
  /** Where the group stands now, as the coordinator says. */
  readonly position: (partition: number) => Promise<GroupPosition>;
  readonly watch: LagWatch;
  seek(partition: number, offset: number): void;
  run(eachBatch: (batch: AssignedBatch) => Promise<void>): Promise<void>;
  /** Stops fetching and waits for the batches under way; `whileStopped` then runs before the connections close. */
  stop(whileStopped: () => Promise<void> | void): Promise<void>;
}

const heartbeatMs = 1_000;
/** After so long at most, a partition that the topic has been given since is read too. */
const growthSeenMs = 30_000;
const restartPauseMs = 1_000;
/** A member that lives has rejoined long before: it says that it is there five times a second. */
const longestRebalanceMs = 10_000;

export async function openGroupConsumer(options: GroupConsumerOptions): Promise<GroupConsumer> {
  const { groupId, topic, logger, sessionTimeoutMs } = options;
  const { groupInstanceId } = options.kafka;
  const kafka = createKafka(options.kafka);
  const admin = kafka.admin();
  await admin.connect();
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: Math.min(sessionTimeoutMs, longestRebalanceMs),
    ...(groupInstanceId !== undefined && { partitionAssigners: [asStaticMember(groupInstanceId)] }),
    heartbeatInterval: heartbeatMs,
    metadataMaxAge: growthSeenMs,
    ...options.fetch,
    allowAutoTopicCreation: false,
    // An outage of any length ends by itself: the loop never gives up, it only waits.
    retry: {
      initialRetryTime: 50,
      maxRetryTime: 2_000,
      retries: 20,
      restartOnFailure: () => Promise.resolve(true),
    },
  });
  const watch = watchLag({ admin, groupId, topic, logger, metrics: options.metrics, fatal: options.fatal });
  listen(consumer, watch, options);
  let running: ConsumerRunConfig | undefined;
  const runAgain = async (): Promise<void> => {
    await sleep(restartPauseMs);
    if (running !== undefined) await consumer.run(running);
  };
  // kafkajs itself gives up where it finds no coordinator, although a broker that restarts has one again in seconds.
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (isFencedMember(payload.error)) {
      const details = { group: groupId, instance: groupInstanceId ?? '' };
      options.fatal(new TelltaleError('GROUP_INSTANCE_TAKEN', details, { cause: payload.error }));
    } else if (!payload.restart) void runAgain();
  });
  return {
    position: (partition) => readGroupPosition(admin, { groupId, topic }, partition),
    watch,
    seek: (partition, offset) => consumer.seek({ topic, partition, offset: String(offset) }),
    async run(eachBatch) {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      running = {
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: options.partitions,
        eachBatch: (payload) => eachBatch(assignedBatch(payload)),
      };
      await consumer.run(running);
    },
    async stop(whileStopped) {
      running = undefined;
      watch.stop();
      await consumer.stop();
      await whileStopped();
      await consumer.disconnect();
      await admin.disconnect();
    },
  };
}

/** Partitions go round, as without it. kafkajs gives the consumer's cluster to its assigners, and to nobody else. */
const asStaticMember =
  (groupInstanceId: string): PartitionAssigner =>
  (config) => {
    joinAsStaticMember(config.cluster as unknown as Cluster, groupInstanceId);
    return kafkajs.PartitionAssigners.roundRobin(config);
  };

function listen(
  consumer: Consumer,
  watch: LagWatch,
  { groupId, topic, logger, onAssigned, onPassedOver, onCrash }: GroupConsumerOptions,
): void {
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = [...(payload.memberAssignment[topic] ?? [])].sort((a, b) => a - b);
    watch.assigned(partitions);
    logger.info({ event: 'partitions-assigned', groupId, topic, partitions }, 'partitions assigned');
    onAssigned(partitions);
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    onCrash();
    logger.warn(
      { event: 'consumer-crashed', groupId, topic, reason: reasonOf(payload.error) },
      'the consumer fails; it starts again',
    );
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (payload.batchSize > 0) return;
    const last = Number(payload.lastOffset);
    watch.skippedTo(payload.partition, last + 1);
    onPassedOver(payload.partition, Number(payload.firstOffset), last);
  });
}
