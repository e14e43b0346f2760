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
  /** After a member has been silent for this long, the group assigns its partitions to others. */
  readonly sessionTimeoutMs: number;
  /** Decides which member gets which partitions; round robin by default. */
  readonly assigner?: PartitionAssigner;
  /** New partitions of the topic are assigned after this long at most. */
  readonly growthSeenMs?: number;
  readonly fetch: Pick<ConsumerConfig, 'maxWaitTimeInMs' | 'minBytes' | 'maxBytesPerPartition' | 'maxBytes'>;
  /** After this long without a record, fetches wait longer, but only for one record; never by default. */
  readonly idleAfterMs?: number;
  /** The member's name if the process has none. With this name it still leaves the group when it stops. */
  readonly groupInstanceId?: string;
  /** Ends the process: another one has joined the group under its name. */
  readonly fatal: (error: TelltaleError) => void;
  /** Called when the consumer has failed; it restarts by itself. */
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
/** A member learns of a rebalance after a fetch, and rejoins once its fetches from all brokers have ended. */
const waitsARebalance = 8;
const restartPauseMs = 1_000;
/** A live member rejoins long before this: it sends several heartbeats per session. */
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
  const rejoin = async (): Promise<void> => {
    logger.warn(
      { event: 'membership-lost', groupId, topic },
      'the group has not answered for longer than a session; joining it again',
    );
    await consumer.stop();
    if (running !== undefined) await consumer.run(running);
  };
  let rejoining = Promise.resolve();
  const endWatch = watchMembership(consumer, sessionTimeoutMs + longestRebalanceMs, () => {
    options.onCrash?.();
    rejoining = rejoin();
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    options.onCrash?.();
    logger.warn(
      { event: 'consumer-crashed', groupId, topic, reason: reasonOf(payload.error) },
      'the consumer failed; starting it again',
    );
    // Another process has since joined with the same instance id.
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
      // kafkajs does not stop a consumer that is joining: it would stay a member until its session ends.
      await Promise.race([rejoining, sleep(longestJoinMs, undefined, { ref: false })]);
      idleFetches.end();
      await consumer.stop();
    },
  };
}

/** A join takes longer if another member is slow or Kafka is down; a stop does not wait for that. */
const longestJoinMs = 3_000;
const lookEveryMs = 1_000;

/**
 * Calls `lost` if a member has had no answer to a heartbeat for `quietMs`. That must be longer than a session
 * plus a rebalance: by then the group has assigned its partitions to others. Usually kafkajs rejoins by
 * itself. But if the coordinator has forgotten the member and its first attempt to join fails too, kafkajs
 * continues without a membership: it fetches, sends no heartbeat and never joins again. Returns a function
 * that ends the watch.
 */
function watchMembership(consumer: Consumer, quietMs: number, lost: () => void): () => void {
  /** Undefined while the consumer is not a member, but about to join. */
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
      // An outage of any length ends by itself, and only this file starts runs. kafkajs restarts without
      // checking for another run: then two members would process the same records at the same time.
      restartOnFailure: () => Promise.resolve(false),
    },
  });
}
