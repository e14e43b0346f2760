import kafkajs, { type Admin } from 'kafkajs';
import { withAdmin } from './admin.js';
import type { KafkaAccess } from './kafka-access.js';
import type { RefusedSettings, Settings, TopicAdmin } from '../../../topics/apply.js';
import { inSyncOf, type FoundTopic, type WantedTopic } from '../../../topics/plan.js';
import { pause } from '../../backoff.js';
import { reasonOf, TelltaleError } from '../../errors.js';
import { protocolErrorOf, tryWhilePassing } from '../protocol/kafka-error.js';

const knownWithinMs = 10_000;
const pauseMs = 100;
const topicResource = kafkajs.ConfigResourceTypes.TOPIC;

/** Runs work on topics over its own connection. */
export function withTopicAdmin<Result>(
  kafka: KafkaAccess,
  work: (topics: TopicAdmin) => Promise<Result>,
): Promise<Result> {
  return withAdmin(kafka, (admin) => work(topicAdmin(admin)));
}

/** Manages topics through `admin`. */
export function topicAdmin(admin: Admin): TopicAdmin {
  return {
    find: (names) => findTopics(admin, names),
    create: (topics, replication) => createTopics(admin, topics, replication),
    async grow(topic, partitions) {
      await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
    },
    replicate: (topics, wanted) => addReplicas(admin, topics, wanted),
    configure: (topic, config) => configure(admin, topic, config),
  };
}

async function findTopics(admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, FoundTopic>> {
  const existing = new Set(await admin.listTopics());
  const present = names.filter((name) => existing.has(name));
  if (present.length === 0) return new Map();
  const { topics } = await onceKnown(() => admin.fetchTopicMetadata({ topics: present }));
  const resources = await describe(admin, present);
  const configs = new Map(
    resources.map((resource) => [
      resource.resourceName,
      Object.fromEntries(resource.configEntries.map((entry) => [entry.configName, entry.configValue])),
    ]),
  );
  return new Map<string, FoundTopic>(
    topics.map(({ name, partitions }) => [
      name,
      {
        partitions: partitions.length,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        inSync: Math.min(...partitions.map(({ isr }) => isr.length)),
        config: configs.get(name) ?? {},
      },
    ]),
  );
}

/** A topic with a refused setting is created without settings, and then gets those that are accepted. */
async function createTopics(
  admin: Admin,
  topics: readonly WantedTopic[],
  replication: number,
): Promise<readonly RefusedSettings[]> {
  if (topics.length === 0) return [];
  await brokersFor(admin, replication);
  const create = async (some: readonly WantedTopic[], withSettings: boolean): Promise<void> => {
    await admin.createTopics({
      waitForLeaders: false,
      topics: some.map(({ name, partitions, config }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor: replication,
        configEntries: withSettings ? entriesOf({ ...inSyncOf(replication), ...config }) : [],
      })),
    });
    await onceKnown(() => admin.fetchTopicMetadata({ topics: some.map(({ name }) => name) }));
  };
  try {
    await create(topics, true);
    return [];
  } catch (error) {
    const refused = topics.filter(({ name }) => refusedTopics(error).has(name));
    if (refused.length === 0) throw refusedReplication(error, replication, 'INVALID_REPLICATION_FACTOR');
    try {
      await create(refused, false);
    } catch (again) {
      // So the policy was not about a setting.
      throw refusedReplication(again, replication, 'INVALID_REPLICATION_FACTOR', 'POLICY_VIOLATION');
    }
    return Promise.all(
      refused.map(async ({ name, config }) => ({
        topic: name,
        config: await configure(admin, name, { ...inSyncOf(replication), ...config }),
      })),
    );
  }
}

/** REPLICATION_REFUSED if a topic was refused with one of `types`; otherwise the error itself. */
function refusedReplication(error: unknown, wanted: number, ...types: readonly string[]): unknown {
  const refusal = errorsIn(error).find((one) => types.includes(protocolErrorOf(one)));
  if (refusal === undefined) return error;
  return new TelltaleError('REPLICATION_REFUSED', { wanted, reason: reasonOf(refusal) }, { cause: error });
}

/** Retries: a broker can learn of a topic later than others, and until then says that there is none. */
function onceKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return tryWhilePassing(ask, { retryForMs: knownWithinMs, beforeNext: () => pause(pauseMs) });
}

async function describe(admin: Admin, topics: readonly string[]) {
  const resources = topics.map((name) => ({ type: topicResource, name }));
  return (await onceKnown(() => admin.describeConfigs({ includeSynonyms: false, resources }))).resources;
}

/** The errors of single topics or partitions, which kafkajs combines into one. */
function errorsIn(error: unknown): readonly unknown[] {
  return error instanceof kafkajs.KafkaJSAggregateError ? error.errors : [error];
}

/** The topics that were refused for a setting; none if any error has another cause. */
function refusedTopics(error: unknown): ReadonlySet<string | undefined> {
  const errors = errorsIn(error);
  const ofTopic = (one: unknown): string | undefined =>
    isRefusedSetting(one) ? (one as { readonly topic?: string }).topic : undefined;
  return new Set(errors.every(isRefusedSetting) ? errors.map(ofTopic) : []);
}

/** Returns the refused settings. AlterConfigs replaces all settings, so the present ones are sent again. */
async function configure(admin: Admin, topic: string, config: Settings): Promise<Settings> {
  const resources = await describe(admin, [topic]);
  let set: Settings = Object.fromEntries(
    (resources[0]?.configEntries ?? [])
      .filter((entry) => !entry.isDefault && !entry.readOnly && !entry.isSensitive && isTopicOverride(entry))
      .map((entry) => [entry.configName, entry.configValue]),
  );
  const isTaken = async (settings: Settings): Promise<boolean> => {
    try {
      const resource = { type: topicResource, name: topic, configEntries: entriesOf(settings) };
      await admin.alterConfigs({ validateOnly: false, resources: [resource] });
      return true;
    } catch (error) {
      if (isRefusedSetting(error)) return false;
      throw error;
    }
  };
  if (await isTaken({ ...set, ...config })) return {};
  const refused: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    if (await isTaken({ ...set, [name]: value })) set = { ...set, [name]: value };
    else refused[name] = value;
  }
  return refused;
}

/** False if Kafka does not allow this user to. */
async function addReplicas(admin: Admin, topics: readonly string[], wanted: number): Promise<boolean> {
  const brokers = await brokersFor(admin, wanted);
  const found = (await admin.fetchTopicMetadata({ topics: [...topics] })).topics.map(
    ({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionId, replicas }) => ({ partition: partitionId, replicas })),
    }),
  );
  const assigned = addedReplicas(found, brokers, wanted).map(({ name, partitions }) => ({
    topic: name,
    partitionAssignment: partitions.map(({ partition, replicas }) => ({
      partition,
      replicas: [...replicas],
    })),
  }));
  try {
    await admin.alterPartitionReassignments({ topics: assigned });
    return true;
  } catch (error) {
    if (!errorsIn(error).every(isRefusedReassignment)) throw error;
    return false;
  }
}

/** A topic and, for each of its partitions, the brokers that have a replica. The first is the preferred leader. */
interface TopicReplicas {
  readonly name: string;
  readonly partitions: readonly { readonly partition: number; readonly replicas: readonly number[] }[];
}

/**
 * The partitions with fewer replicas than wanted, with the replicas that they are to have: the present ones, in their
 * order, and more on the brokers with the fewest. There are at least as many `brokers` as wanted replicas.
 */
export function addedReplicas(
  topics: readonly TopicReplicas[],
  brokers: readonly number[],
  wanted: number,
): readonly TopicReplicas[] {
  const load = new Map(brokers.map((broker) => [broker, 0]));
  const loadOf = (broker: number): number => load.get(broker) ?? 0;
  const count = (broker: number): unknown => load.set(broker, loadOf(broker) + 1);
  topics.flatMap(({ partitions }) => partitions.flatMap(({ replicas }) => replicas)).forEach(count);
  const grown = (replicas: readonly number[]): readonly number[] => {
    const all = [...replicas];
    while (all.length < wanted) {
      const others = brokers.filter((broker) => !all.includes(broker));
      const next = others.reduce((least, broker) => (loadOf(broker) < loadOf(least) ? broker : least));
      count(next);
      all.push(next);
    }
    return all;
  };
  return topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions
      .filter(({ replicas }) => replicas.length < wanted)
      .map(({ partition, replicas }) => ({ partition, replicas: grown(replicas) })),
  }));
}

async function brokersFor(admin: Admin, replication: number): Promise<readonly number[]> {
  const { brokers } = await admin.describeCluster();
  if (brokers.length < replication)
    throw new TelltaleError('TOO_FEW_BROKERS', { brokers: brokers.length, wanted: replication });
  return brokers.map(({ nodeId }) => nodeId);
}

const entriesOf = (config: Settings): { name: string; value: string }[] =>
  Object.entries(config).map(([name, value]) => ({ name, value }));

/** A setting that the broker, or a policy of its operator, does not allow. */
const isRefusedSetting = (error: unknown): boolean =>
  error instanceof kafkajs.KafkaJSProtocolError &&
  ['INVALID_CONFIG', 'POLICY_VIOLATION'].includes(error.type);

/** Kafka does not allow this user, or nobody: by a policy, or because it does not support the request. */
const isRefusedReassignment = (error: unknown): boolean =>
  error instanceof kafkajs.KafkaJSServerDoesNotSupportApiKey ||
  ['CLUSTER_AUTHORIZATION_FAILED', 'POLICY_VIOLATION', 'UNSUPPORTED_VERSION'].includes(
    protocolErrorOf(error),
  );

/** Source 1 is DYNAMIC_TOPIC_CONFIG: set on this topic, not inherited from the broker. */
function isTopicOverride(entry: { readonly configSource?: number }): boolean {
  return entry.configSource === undefined || entry.configSource === 1;
}
