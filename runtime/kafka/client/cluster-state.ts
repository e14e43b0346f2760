import kafkajs, { type Admin } from 'kafkajs';
import { fewRetries, withAdmin } from './admin.js';
import { kafkaUnreachable, type KafkaAccess } from './kafka-access.js';

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

const dayMs = 86_400_000;

/**
 * After how many days the brokers delete the records of these topics; null: they delete nothing by age. Topics that do
 * not exist are left out. Rejects with KAFKA_UNREACHABLE where no broker answers, or this user may not ask.
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
