import type Cluster from 'kafkajs/src/cluster/index.js';
import type { PartitionMetadata } from 'kafkajs/src/cluster/index.js';
import { watchDependency } from '../../dependency-watch.js';
import type { Health } from '../../health.js';
import type { Stoppable } from '../../lifecycle.js';
import { connectCluster, connectWithRetry } from './cluster.js';
import { kafkaUnreachable, type KafkaAccess } from './kafka-access.js';

/** KAFKA_UNREACHABLE where no broker tells of its cluster. */
export async function requireKafka(kafka: KafkaAccess): Promise<void> {
  try {
    const cluster = await connectWithRetry('start', kafka, {
      retryForMs: startRetryMs,
      prepare: (connected) => connected.refreshMetadata(),
    });
    await cluster.disconnect();
  } catch (cause) {
    throw kafkaUnreachable(kafka, cause);
  }
}

/** Where nothing listens, the line that says what to do should not be long in coming. */
const startRetryMs = 1_000;

interface KafkaWatchOptions {
  readonly kafka: KafkaAccess;
  /** Those that the process reads and writes. */
  readonly topics: readonly { readonly name: string }[];
  readonly health: Health;
}

/** The process is ready only while a broker answers and each of these topics has a leader for every partition. */
export function watchKafka({ kafka, topics, health }: KafkaWatchOptions): Stoppable {
  const names = [...new Set(topics.map((topic) => topic.name))];
  let cluster: Cluster | undefined;

  /** A connection that failed once is not trusted again. */
  const release = async (): Promise<void> => {
    const failed = cluster;
    cluster = undefined;
    await failed?.disconnect().catch(() => undefined);
  };
  const watch = watchDependency({
    name: 'Kafka',
    condition: health.condition('Kafka'),
    async ask() {
      try {
        if (cluster === undefined)
          cluster = await connectCluster('readiness', kafka, (connected) =>
            connected.addMultipleTargetTopics(names),
          );
        else await cluster.refreshMetadata();
        for (const name of names) requireLeaders(name, cluster.findTopicPartitionMetadata(name));
      } catch (error) {
        await release();
        throw error;
      }
    },
  });
  return {
    name: watch.name,
    async stop() {
      await watch.stop();
      await release();
    },
  };
}

function requireLeaders(topic: string, partitions: readonly PartitionMetadata[]): void {
  const without = partitions.filter(({ leader }) => leader < 0).map(({ partitionId }) => partitionId);
  if (without.length > 0) throw new Error(`no leader for partition ${without.join(', ')} of ${topic}`);
}
