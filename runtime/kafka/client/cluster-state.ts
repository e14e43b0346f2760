import type { Admin } from 'kafkajs';
import { fewRetries, withAdmin } from './admin.js';
import type { KafkaAccess } from './kafka-access.js';

/** The brokers, and who has which partition, as one of them says. */
export interface ClusterState {
  readonly brokers: readonly string[];
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly {
      readonly partition: number;
      /** Negative where no broker leads it. */
      readonly leader: number;
      readonly replicas: number;
      readonly inSync: number;
    }[];
  }[];
}

/** Rejects where no broker answers. Topics that are not there are left out. */
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
