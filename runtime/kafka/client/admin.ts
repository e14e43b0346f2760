import kafkajs, { type Admin } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { pause } from '../../backoff.js';
import { tryWhilePassing } from '../protocol/kafka-error.js';
import { createKafka } from './client.js';
import { connectWithRetry, requestTopicId } from './cluster.js';
import { type KafkaAccess, kafkaUnreachable } from './kafka-access.js';

/** For requests that are repeated anyway, or whose caller continues without an answer. */
export const fewRetries = { retries: 2, initialRetryTime: 50 };

/** Runs work over its own connection. By default requests are retried as often as by any client of ours. */
export async function withAdmin<Result>(
  kafka: KafkaAccess,
  work: (admin: Admin) => Promise<Result>,
  retry?: typeof fewRetries,
): Promise<Result> {
  const admin = createKafka(kafka).admin(retry && { retry });
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/**
 * The id that distinguishes logs of one name: a topic that was recreated, or is on another Kafka, has another
 * id. Undefined if the brokers give topics none.
 */
export async function readTopicId(kafka: KafkaAccess, topic: string): Promise<string | undefined> {
  const cluster = await connectWithRetry('topic id', kafka, {
    prepare: (connected) => connected.refreshMetadata(),
  });
  const ask = () => cluster.brokerPool.withBroker(({ broker }) => requestTopicId(broker, topic));
  try {
    return await tryWhilePassing(ask, { beforeNext: () => pause(retryMs) });
  } finally {
    await cluster.disconnect().catch(() => undefined);
  }
}

const retryMs = 200;

const readUncommitted = 0;

/** By default the library counts offsets only up to the first open transaction. */
const countUncommitted = (cluster: Cluster): void => void (cluster.isolationLevel = readUncommitted);

/** Runs work over one connection, any number of times. Offsets of uncommitted records count too. */
interface LastingAdmin {
  ask<Answer>(question: (admin: Admin) => Promise<Answer>): Promise<Answer>;
  stop(): Promise<void>;
}

interface Connection {
  readonly admin: Admin;
  readonly connecting: Promise<void>;
}

export function openLastingAdmin(kafka: KafkaAccess): LastingAdmin {
  let connection: Connection | undefined;
  const asking = new Set<Promise<unknown>>();

  const opened = (): Connection => {
    const admin = createKafka(kafka, countUncommitted).admin({ retry: fewRetries });
    return { admin, connecting: admin.connect() };
  };
  const release = async (released: Connection | undefined): Promise<void> => {
    if (connection === released) connection = undefined;
    await released?.admin.disconnect().catch(() => undefined);
  };
  const askOnce = async <Answer>(question: (admin: Admin) => Promise<Answer>): Promise<Answer> => {
    const asked = (connection ??= opened());
    try {
      await asked.connecting;
      return await question(asked.admin);
    } catch (error) {
      // A connection that has failed is not used again.
      await release(asked);
      throw error;
    }
  };
  return {
    ask(question) {
      const answer = askOnce(question);
      asking.add(answer);
      const forget = () => asking.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    async stop() {
      // The library reconnects for a request that comes after a disconnect, and then the process would never end.
      await Promise.allSettled(asking);
      await release(connection);
    },
  };
}

/** The brokers, and the leaders and replicas of partitions, as one broker reports them. */
export interface ClusterState {
  readonly brokers: readonly string[];
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly {
      readonly partition: number;
      /** Negative if no broker leads it. */
      readonly leader: number;
      readonly replicas: number;
      readonly inSync: number;
    }[];
  }[];
}

/** Rejects if no broker answers. Topics that do not exist are left out. */
export function readClusterState(kafka: KafkaAccess, topics: readonly string[]): Promise<ClusterState> {
  const read = async (admin: Admin): Promise<ClusterState> => {
    const [{ brokers }, existing] = await Promise.all([admin.describeCluster(), admin.listTopics()]);
    const there = new Set(existing);
    const asked = topics.filter((name) => there.has(name));
    const metadata = asked.length === 0 ? { topics: [] } : await admin.fetchTopicMetadata({ topics: asked });
    return {
      brokers: brokers.map(({ host, port }) => `${host}:${port}`),
      topics: metadata.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionId, leader, replicas, isr }) => ({
          partition: partitionId,
          leader,
          replicas: replicas.length,
          inSync: isr.length,
        })),
      })),
    };
  };
  return withAdmin(kafka, read, fewRetries);
}

const dayMs = 86_400_000;

/**
 * After how many days the brokers delete the records of these topics; null: they delete nothing by age.
 * Topics that do not exist are left out. Rejects with KAFKA_UNREACHABLE if no broker answers, or this user
 * may not ask.
 */
export async function readTopicRetention(
  kafka: KafkaAccess,
  names: readonly string[],
): Promise<readonly { readonly name: string; readonly days: number | null }[]> {
  const read = async (admin: Admin) => {
    const there = new Set(await admin.listTopics());
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names
        .filter((name) => there.has(name))
        .map((name) => ({
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name,
          configNames: ['cleanup.policy', 'retention.ms'],
        })),
    });
    return resources.map(({ resourceName: name, configEntries }) => {
      const valueOf = (wanted: string): string =>
        configEntries.find(({ configName }) => configName === wanted)?.configValue ?? '';
      const retentionMs = Number(valueOf('retention.ms'));
      const isKept = !valueOf('cleanup.policy').includes('delete') || retentionMs < 0;
      return { name, days: isKept ? null : retentionMs / dayMs };
    });
  };
  try {
    return await withAdmin(kafka, read, fewRetries);
  } catch (cause) {
    throw kafkaUnreachable(kafka, cause);
  }
}
