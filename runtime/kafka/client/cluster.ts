import Cluster from 'kafkajs/src/cluster/index.js';
import loggers from 'kafkajs/src/loggers/index.js';
import { Backoff, pause } from '../../backoff.js';
import { TelltaleError } from '../../errors.js';
import { askOwnMetadata } from '../protocol/metadata-request.js';
import { isPassing } from '../protocol/protocol-error.js';
import { connectionOptions, type KafkaAccess } from './kafka-access.js';

/** `connectCluster` for who can't go on without it: tried again for a while, as a busy broker is slow to answer. */
export async function connectWithRetry(purpose: string, access: KafkaAccess): Promise<Cluster> {
  const deadline = performance.now() + connectRetryMs;
  const backoff = new Backoff(20, 500);
  for (;;) {
    try {
      return await connectCluster(purpose, access);
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      await pause(backoff.next());
    }
  }
}

const connectRetryMs = 8_000;

/**
 * kafkajs's own view of a cluster, from whichever broker answers and can do what is asked of it: each is tried once,
 * from any of them on. Nothing else in it is tried twice: callers decide how to wait.
 */
export async function connectCluster(
  purpose: string,
  access: KafkaAccess,
  prepare: (connected: Cluster) => Promise<void> = () => Promise.resolve(),
): Promise<Cluster> {
  let failure: unknown;
  for (const broker of turned([...access.brokers])) {
    const cluster = newCluster(purpose, access, [broker]);
    try {
      await cluster.connect();
      await prepare(cluster);
      return cluster;
    } catch (error) {
      void cluster.disconnect().catch(() => undefined);
      if (error instanceof TelltaleError) throw error;
      failure = error;
    }
  }
  throw failure;
}

export function newCluster(topic: string, access: KafkaAccess, brokers: readonly string[]): Cluster {
  const { clientId, logger } = access;
  const cluster = new Cluster({
    brokers,
    clientId,
    logger: loggers.createLogger({
      level: 2,
      logCreator: () => (entry) =>
        logger.debug({ event: 'kafkajs', topic, kafkajs: entry.log.message }, 'kafkajs'),
    }),
    ...connectionOptions(access),
    requestTimeout: requestTimeoutMs,
    retry: { retries: 0 },
    allowAutoTopicCreation: false,
    metadataMaxAge: growthSeenMs,
  });
  askOwnMetadata(cluster);
  return cluster;
}

/** Several fit into the time that a send is tried: a broker that went silent is asked at most a few times. */
const requestTimeoutMs = 3_000;
/** A writer hears of partitions that its topic has been given since after so long at most, as groups do. */
const growthSeenMs = 30_000;

/** The same items, beginning with any of them: where the first is served first, none shall starve. */
export function turned<Item>(items: Item[]): Item[] {
  const cut = Math.floor(Math.random() * items.length);
  return [...items.slice(cut), ...items.slice(0, cut)];
}
