import type { FoundTopic, PlanOptions, TopicChange, WantedTopic } from './plan.js';
import { planTopics } from './plan.js';

/** What `applyTopics` needs from a cluster; runtime/kafka/client/topic-admin.ts implements it. */
export interface TopicAdmin {
  find(names: readonly string[]): Promise<ReadonlyMap<string, FoundTopic>>;
  /** Creates the topics; one that another process has just created is no error. Returns the refused settings. */
  create(topics: readonly WantedTopic[], replication: number): Promise<readonly RefusedSettings[]>;
  /** Adds partitions up to this number. */
  grow(topic: string, partitions: number): Promise<void>;
  /**
   * Adds replicas to the partitions of these topics up to this number; the brokers copy them afterwards.
   * False if Kafka does not let this user do so.
   */
  replicate(topics: readonly string[], replication: number): Promise<boolean>;
  /** Returns the settings that the brokers refuse; all others are set. */
  configure(topic: string, config: Settings): Promise<Settings>;
}

export type Settings = Readonly<Record<string, string>>;

/** Settings that the brokers don't let anybody change, as in a managed Kafka. */
export interface RefusedSettings {
  readonly topic: string;
  readonly config: Settings;
}

export interface AppliedPlan {
  readonly changes: readonly TopicChange[];
  readonly refused: readonly RefusedSettings[];
  /** The topics that lack replicas and to which Kafka does not let this user add them. */
  readonly unreplicated: readonly string[];
}

/**
 * Applies the plan to the Kafka cluster. Returns the changes, and what the brokers refused. Safe to repeat,
 * even from several processes at once: existing topics and settings stay unchanged. The caller reports a
 * refused partition count.
 */
export async function applyTopics(
  wanted: readonly WantedTopic[],
  admin: TopicAdmin,
  options: PlanOptions,
): Promise<AppliedPlan> {
  const changes = planTopics(wanted, await admin.find(wanted.map(({ name }) => name)), options);
  const of = <Kind extends TopicChange['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<TopicChange, { kind: Kind }> => change.kind === kind);
  const refused = [
    ...(await admin.create(
      of('create').map(({ topic }) => topic),
      options.replication,
    )),
  ];
  for (const { topic, wanted: partitions } of of('grow')) await admin.grow(topic, partitions);
  const thin = of('replicate').map(({ topic }) => topic);
  const isReplicated = thin.length === 0 || (await admin.replicate(thin, options.replication));
  for (const { topic, config } of of('configure'))
    refused.push({ topic, config: await admin.configure(topic, config) });
  return {
    changes: changes.filter(({ kind }) => kind !== 'replicate' || isReplicated),
    refused: refused.filter(({ config }) => Object.keys(config).length > 0),
    unreplicated: isReplicated ? [] : thin,
  };
}
