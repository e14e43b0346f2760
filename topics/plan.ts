import { deadLetterDays, deadLettersOf } from './dead-letters.js';
import type { Cleanup, Topic } from './topic.js';

/** What a broker must be told about a topic. */
export interface WantedTopic {
  readonly name: string;
  readonly partitions: number;
  readonly config: Readonly<Record<string, string>>;
}

/** What the cluster has: partitions, and the configuration that differs from the broker's defaults or not. */
export interface FoundTopic {
  readonly partitions: number;
  readonly config: Readonly<Record<string, string>>;
}

/** One thing that `apply` would do. Nothing is ever deleted. */
export type TopicChange =
  | { readonly kind: 'create'; readonly topic: WantedTopic }
  | { readonly kind: 'configure'; readonly topic: string; readonly config: Readonly<Record<string, string>> }
  /** Kafka can't shrink or rekey a topic: it needs a decision of a person. */
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

/** Every topic that must be there: the catalogue's, and the dead letters of those that somebody consumes. */
export function wantedTopics(
  catalogue: readonly Topic[],
  consumed: readonly Topic[],
): readonly WantedTopic[] {
  return [
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
}

/** What has to change so that the cluster has what is wanted. Topics of others, and settings not wanted, are left alone. */
export function planTopics(
  wanted: readonly WantedTopic[],
  found: ReadonlyMap<string, FoundTopic>,
): readonly TopicChange[] {
  return wanted.flatMap((topic): TopicChange[] => {
    const present = found.get(topic.name);
    if (present === undefined) return [{ kind: 'create', topic }];
    if (present.partitions !== topic.partitions) {
      return [{ kind: 'refuse', topic: topic.name, wanted: topic.partitions, found: present.partitions }];
    }
    const differing = Object.entries(topic.config).filter(([name, value]) => present.config[name] !== value);
    return differing.length === 0
      ? []
      : [{ kind: 'configure', topic: topic.name, config: Object.fromEntries(differing) }];
  });
}

/** A change in words, as `telltale topics plan` shows it. */
export function describeChange(change: TopicChange): string {
  switch (change.kind) {
    case 'create':
      return `create ${change.topic.name} with ${change.topic.partitions} partitions, ${settings(change.topic.config)}`;
    case 'configure':
      return `configure ${change.topic}: ${settings(change.config)}`;
    case 'refuse':
      return `refuse ${change.topic}: it has ${change.found} partitions, the catalogue says ${change.wanted}; Kafka can't shrink or rekey a topic: change the catalogue, or replay into a new topic`;
  }
}

function settings(config: Readonly<Record<string, string>>): string {
  return Object.entries(config)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}
