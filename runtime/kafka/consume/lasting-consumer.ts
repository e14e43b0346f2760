import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, {
  type Consumer,
  type ConsumerConfig,
  type ConsumerRunConfig,
  type PartitionAssigner,
} from 'kafkajs';
import { reasonOf, TelltaleError } from '../../errors.js';
import { createKafka } from '../client/client.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import {
  IdleFetches,
  readOnlyCommitted,
  countingPartitions,
  joinAsStaticMember,
  rejoinAfterRefusedCommit,
} from '../corrections/consumers.js';
import { protocolErrorOf } from '../protocol/kafka-error.js';

interface LastingConsumerOptions {
  readonly kafka: KafkaAccess;
  readonly groupId: string;
  readonly topic: string;
  /** The group assigns the partitions of a member that has been silent for this long to others. */
  readonly sessionTimeoutMs: number;
  /** Which member is assigned which partitions; round robin unless given. */
  readonly assigner?: PartitionAssigner;
  /** After this long at most, partitions that the topic has got since are assigned too. */
  readonly growthSeenMs?: number;
  readonly fetch: Pick<ConsumerConfig, 'maxWaitTimeInMs' | 'minBytes' | 'maxBytesPerPartition' | 'maxBytes'>;
  /** After this long without a record, fetches wait longer, and for the first record alone; never unless given. */
  readonly idleAfterMs?: number;
  /** Its name in the group where the process has none; with this one it still leaves the group at a stop. */
  readonly groupInstanceId?: string;
  /** Ends the process: another one has its name in the group. */
  readonly fatal: (error: TelltaleError) => void;
  /** The consumer fails and restarts by itself. */
  readonly onCrash?: () => void;
}

/** A consumer that survives any outage. */
interface LastingConsumer {
  readonly consumer: Consumer;
  readonly run: (config: ConsumerRunConfig) => Promise<void>;
  /** Stops fetching and waits for the batches under way. */
  readonly stop: () => Promise<void>;
}

const heartbeatMs = 1_000;
/** A member hears of a rebalance after a fetch, and joins once its fetches from all other brokers have ended too. */
const waitsARebalance = 8;
const restartPauseMs = 1_000;
/** A living member has rejoined long before: it sends a heartbeat several times a session. */
const longestRebalanceMs = 10_000;
const rebalanceTimeoutOf = ({ sessionTimeoutMs }: LastingConsumerOptions): number =>
  Math.min(sessionTimeoutMs, longestRebalanceMs);

export function openLastingConsumer(options: LastingConsumerOptions): LastingConsumer {
  const { groupId, topic, sessionTimeoutMs } = options;
  const { logger } = options.kafka;
  const groupInstanceId = options.kafka.groupInstanceId ?? options.groupInstanceId;
  const idleFetches = new IdleFetches({
    afterMs: options.idleAfterMs ?? Infinity,
    maxWaitMs: Math.floor(rebalanceTimeoutOf(options) / waitsARebalance),
  });
  const consumer = createConsumer(options, groupInstanceId, idleFetches);
  let running: ConsumerRunConfig | undefined;
  const runAgain = async (): Promise<void> => {
    await sleep(restartPauseMs);
    if (running !== undefined) await consumer.run(running);
  };
  const joinAnew = async (): Promise<void> => {
    logger.warn(
      { event: 'membership-lost', groupId, topic },
      'the group has not answered for longer than a session; joining it anew',
    );
    await consumer.stop();
    if (running !== undefined) await consumer.run(running);
  };
  let rejoining = Promise.resolve();
  const endWatch = watchMembership(consumer, sessionTimeoutMs + longestRebalanceMs, () => {
    options.onCrash?.();
    rejoining = joinAnew();
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    options.onCrash?.();
    logger.warn(
      { event: 'consumer-crashed', groupId, topic, reason: reasonOf(payload.error) },
      'the consumer fails; it starts again',
    );
    // Another process has joined with the same instance id since.
    if (protocolErrorOf(payload.error) === 'FENCED_INSTANCE_ID') {
      const details = { group: groupId, instance: groupInstanceId ?? '' };
      options.fatal(new TelltaleError('GROUP_INSTANCE_TAKEN', details, { cause: payload.error }));
    } else rejoining = runAgain();
  });
  return {
    consumer,
    async run(config) {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      running = config;
      await consumer.run(config);
    },
    async stop() {
      running = undefined;
      endWatch();
      // kafkajs stops no consumer that is just joining: it would be a member until its session ends.
      await Promise.race([rejoining, sleep(longestJoinMs, undefined, { ref: false })]);
      idleFetches.end();
      await consumer.stop();
    },
  };
}

/** A group in which a member is slow takes longer, and Kafka may be away: a stop does not wait for that. */
const longestJoinMs = 3_000;
const lookEveryMs = 1_000;

/**
 * Calls `lost` where a member that has joined its group has had no answer to a heartbeat for `quietMs`, which must be
 * longer than a session and a rebalance together: the group has assigned its partitions to others. kafkajs rejoins by
 * itself. But where the coordinator has forgotten the member and its first try to join fails too, kafkajs continues
 * without a membership: it fetches, sends no heartbeat and never joins again. Returns a function that ends the watch.
 */
function watchMembership(consumer: Consumer, quietMs: number, lost: () => void): () => void {
  /** Undefined while it is not a member: it is about to join. */
  let heardAt: number | undefined;
  const heard = (): void => {
    heardAt = performance.now();
  };
  const { GROUP_JOIN, HEARTBEAT, CRASH } = consumer.events;
  const remove = [
    consumer.on(GROUP_JOIN, heard),
    consumer.on(HEARTBEAT, heard),
    consumer.on(CRASH, () => (heardAt = undefined)),
  ];
  const timer = setInterval(() => {
    if (heardAt === undefined || performance.now() - heardAt < quietMs) return;
    heardAt = undefined;
    lost();
  }, lookEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const each of remove) each();
  };
}

function createConsumer(
  options: LastingConsumerOptions,
  groupInstanceId: string | undefined,
  idleFetches: IdleFetches,
): Consumer {
  const { groupId, topic, sessionTimeoutMs, assigner = kafkajs.PartitionAssigners.roundRobin } = options;
  const leavesAtStop = options.kafka.groupInstanceId === undefined;
  const kafka = createKafka(options.kafka, (cluster) => {
    readOnlyCommitted(cluster);
    idleFetches.lengthen(cluster);
    if (groupInstanceId !== undefined) joinAsStaticMember(cluster, { groupInstanceId, leavesAtStop, topic });
    rejoinAfterRefusedCommit(cluster);
  });
  return kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutOf(options),
    partitionAssigners: [countingPartitions(topic, assigner)],
    heartbeatInterval: heartbeatMs,
    metadataMaxAge: options.growthSeenMs ?? 30_000,
    ...options.fetch,
    allowAutoTopicCreation: false,
    retry: {
      initialRetryTime: 50,
      maxRetryTime: 2_000,
      retries: 20,
      // An outage of any length ends by itself, and only this file begins runs. kafkajs restarts without a look whether
      // another run has begun meanwhile: the two would be two members, and process the same records at the same time.
      restartOnFailure: () => Promise.resolve(false),
    },
  });
}
