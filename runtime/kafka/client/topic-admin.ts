import kafkajs, { type Admin } from 'kafkajs';
import { createKafka } from './client.js';
import type { KafkaAccess } from './kafka-access.js';
import type { TopicAdmin } from '../../../topics/apply.js';
import type { FoundTopic } from '../../../topics/plan.js';

const topicResource = kafkajs.ConfigResourceTypes.TOPIC;

/** Works on topics over a connection of its own. `replication` is the factor of topics that are created. */
export async function withTopicAdmin<Result>(
  kafka: KafkaAccess,
  replication: number,
  work: (topics: TopicAdmin) => Promise<Result>,
): Promise<Result> {
  const admin = createKafka(kafka).admin();
  try {
    await admin.connect();
    return await work(topicAdmin(admin, replication));
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

function topicAdmin(admin: Admin, replication: number): TopicAdmin {
  return {
    async find(names) {
      const existing = new Set(await admin.listTopics());
      const present = names.filter((name) => existing.has(name));
      if (present.length === 0) return new Map();
      const { topics } = await admin.fetchTopicMetadata({ topics: present });
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: present.map((name) => ({ type: topicResource, name })),
      });
      const configs = new Map(
        resources.map((resource) => [
          resource.resourceName,
          Object.fromEntries(resource.configEntries.map((entry) => [entry.configName, entry.configValue])),
        ]),
      );
      return new Map<string, FoundTopic>(
        topics.map(({ name, partitions }) => [
          name,
          { partitions: partitions.length, config: configs.get(name) ?? {} },
        ]),
      );
    },
    async create(topics) {
      if (topics.length === 0) return;
      await admin.createTopics({
        waitForLeaders: true,
        topics: topics.map(({ name, partitions, config }) => ({
          topic: name,
          numPartitions: partitions,
          replicationFactor: replication,
          configEntries: Object.entries({ ...inSync(replication), ...config }).map(([key, value]) => ({
            name: key,
            value,
          })),
        })),
      });
    },
    async grow(topic, partitions) {
      await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
    },
    async configure(topic, config) {
      // The protocol's AlterConfigs replaces everything: what is set already has to be said again.
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: topicResource, name: topic }],
      });
      const kept = (resources[0]?.configEntries ?? [])
        .filter(
          (entry) => !entry.isDefault && !entry.readOnly && !entry.isSensitive && isTopicOverride(entry),
        )
        .map((entry): [string, string] => [entry.configName, entry.configValue]);
      const all = new Map([...kept, ...Object.entries(config)]);
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: topicResource,
            name: topic,
            configEntries: [...all].map(([name, value]) => ({ name, value })),
          },
        ],
      });
    },
  };
}

/** With three replicas, what is acknowledged is on two at least, and one may be away; with fewer, none could be. */
function inSync(replication: number): Readonly<Record<string, string>> {
  return replication >= 3 ? { 'min.insync.replicas': '2' } : {};
}

/** Source 1 is DYNAMIC_TOPIC_CONFIG: set on this topic, not inherited from the broker. */
function isTopicOverride(entry: { readonly configSource?: number }): boolean {
  return entry.configSource === undefined || entry.configSource === 1;
}
