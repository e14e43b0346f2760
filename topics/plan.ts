import { clusterMemory } from './cluster-figures.js';
import { clusterSnapshots } from './clusters.js';
import { deadLetterDays, deadLettersOf } from './dead-letters.js';
import type { Cleanup, Topic } from './topic.js';

/** A topic as the brokers are to have it. */
export interface WantedTopic {
  readonly name: string;
  readonly partitions: number;
  readonly config: Readonly<Record<string, string>>;
}

/** A topic as the cluster has it: partitions, and its configuration. */
export interface FoundTopic {
  readonly partitions: number;
  /** Of the partition with the fewest. */
  readonly replicas: number;
  readonly inSync: number;
  readonly config: Readonly<Record<string, string>>;
}

/** Options of a plan. */
export interface PlanOptions {
  /** The least number of replicas per partition. */
  readonly replication: number;
  /** Adds missing partitions, which moves keys. */
  readonly grow?: boolean;
}

/** One change that `apply` would make. Nothing is ever deleted. */
export type TopicChange =
  | { readonly kind: 'create'; readonly topic: WantedTopic }
  | { readonly kind: 'configure'; readonly topic: string; readonly config: Readonly<Record<string, string>> }
  | { readonly kind: 'replicate'; readonly topic: string; readonly wanted: number; readonly found: number }
  | { readonly kind: 'grow'; readonly topic: string; readonly wanted: number; readonly found: number }
  /** More partitions move keys to other partitions: a person has to decide that. */
  | { readonly kind: 'refuse'; readonly topic: string; readonly wanted: number; readonly found: number };

const dayMs = 86_400_000;

function configOf(cleanup: Cleanup, maxMessageBytes: number): Record<string, string> {
  return {
    'cleanup.policy': cleanup.policy,
    'message.timestamp.type': 'LogAppendTime',
    'max.message.bytes': String(maxMessageBytes),
    ...(cleanup.retentionMs === undefined ? {} : { 'retention.ms': String(cleanup.retentionMs) }),
    ...(cleanup.segmentMs === undefined ? {} : { 'segment.ms': String(cleanup.segmentMs) }),
    ...(cleanup.everyRecordMs === undefined
      ? {}
      : { 'min.compaction.lag.ms': String(cleanup.everyRecordMs) }),
    ...(cleanup.policy === 'delete'
      ? {}
      : { 'min.cleanable.dirty.ratio': '0.2', 'delete.retention.ms': String(dayMs) }),
  };
}

/** Options of every topic's settings. */
export interface SettingsOptions {
  /** Settings that stay as the brokers have them. */
  readonly left?: readonly string[];
  /** Kafka's `compression.type`; absent or empty, it stays as the brokers have it. */
  readonly compression?: string;
}

/** Every topic that must exist: the catalogue's, and the dead letters of those that are consumed. */
export function wantedTopics(
  catalogue: readonly Topic[],
  consumed: readonly Topic[],
  { left = [], compression = '' }: SettingsOptions = {},
): readonly WantedTopic[] {
  const all: readonly WantedTopic[] = [
    ...catalogue.map(({ name, partitions, cleanup, maxMessageBytes }) => ({
      name,
      partitions,
      config: configOf(cleanup, maxMessageBytes),
    })),
    ...consumed.map((source) => ({
      name: deadLettersOf(source),
      partitions: 1,
      config: configOf(
        { policy: 'delete', retentionMs: deadLetterDays * dayMs, segmentMs: dayMs },
        source.maxMessageBytes,
      ),
    })),
  ];
  const ofAll = compression === '' ? {} : { 'compression.type': compression };
  return all.map((topic) => ({
    ...topic,
    config: Object.fromEntries(
      Object.entries({ ...topic.config, ...ofAll }).filter(([name]) => !left.includes(name)),
    ),
  }));
}

/**
 * The changes that bring the cluster to what is wanted. Other topics, unlisted settings and surplus
 * partitions and replicas are left alone; missing partitions are added if `grow` is set.
 */
export function planTopics(
  wanted: readonly WantedTopic[],
  found: ReadonlyMap<string, FoundTopic>,
  { replication, grow = false }: PlanOptions,
): readonly TopicChange[] {
  return wanted.flatMap((topic): TopicChange[] => {
    const present = found.get(topic.name);
    if (present === undefined) return [{ kind: 'create', topic }];
    const counts = { topic: topic.name, wanted: topic.partitions, found: present.partitions };
    const config = { ...topic.config, ...safeConfig(present, replication) };
    const differing = Object.entries(config).filter(([name, value]) => present.config[name] !== value);
    const changes: TopicChange[] = [];
    if (present.partitions < topic.partitions) changes.push({ kind: grow ? 'grow' : 'refuse', ...counts });
    if (present.replicas < replication)
      changes.push({
        kind: 'replicate',
        topic: topic.name,
        wanted: replication,
        found: present.replicas,
      });
    if (differing.length > 0)
      changes.push({ kind: 'configure', topic: topic.name, config: Object.fromEntries(differing) });
    return changes;
  });
}

/** With at least this many brokers, topics should have this many replicas, to outlive a broker. */
export const safeReplicas = 3;

/**
 * With three replicas, acknowledged records are on at least two, and one broker may be down. With fewer, none
 * could be.
 */
export const inSyncOf = (replication: number): Readonly<Record<string, string>> =>
  replication >= safeReplicas ? { 'min.insync.replicas': '2' } : {};

/**
 * A topic refuses records while fewer replicas are in sync than it requires, so this waits until they are.
 */
function safeConfig({ inSync, config }: FoundTopic, replication: number): Readonly<Record<string, string>> {
  return inSync >= replication && config['min.insync.replicas'] === '1' ? inSyncOf(replication) : {};
}

/**
 * The catalogue with other partition counts. Throws a RangeError for an unknown topic, and if the clusters'
 * memory would get fewer partitions than their snapshots.
 */
export function withPartitions(
  topics: readonly Topic[],
  counts: Readonly<Record<string, number>>,
): readonly Topic[] {
  const unknown = Object.keys(counts).find((name) => topics.every((topic) => topic.name !== name));
  if (unknown !== undefined) throw new RangeError(`there is no topic ${unknown}`);
  // A cluster's memory is in the partition of its snapshots.
  const snapshots = counts[clusterSnapshots.name];
  const all = { ...counts, ...(snapshots !== undefined && { [clusterMemory.name]: snapshots }) };
  const counted = topics.map((topic) => ({ ...topic, partitions: all[topic.name] ?? topic.partitions }));
  const countOf = (name: string): number => counted.find((topic) => topic.name === name)?.partitions ?? 0;
  const least = countOf(clusterSnapshots.name);
  if (countOf(clusterMemory.name) < least)
    throw new RangeError(
      `${clusterMemory.name} needs at least ${least} partitions, as many as ${clusterSnapshots.name}`,
    );
  return counted;
}

/** A change in words, as `telltale topics plan` shows it. */
export function describeChange(change: TopicChange): string {
  switch (change.kind) {
    case 'create':
      return `create ${change.topic.name} with ${change.topic.partitions} partitions, ${settings(change.topic.config)}`;
    case 'configure':
      return `configure ${change.topic}: ${settings(change.config)}`;
    case 'refuse':
      return `refuse ${change.topic}: it has ${change.found} partitions, but ${change.wanted} are configured; \`topics apply --grow\` adds them, and docs/scaling.md explains what that means for keys`;
    case 'replicate':
      return `replicate ${change.topic}: from ${change.found} to ${change.wanted} replicas per partition`;
    case 'grow':
      return `grow ${change.topic} from ${change.found} to ${change.wanted} partitions`;
  }
}

function settings(config: Readonly<Record<string, string>>): string {
  return Object.entries(config)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}
