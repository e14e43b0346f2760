/** A topic: what it carries, under which key, in which form, and for how long. */
export interface Topic<Value = unknown> {
  readonly name: string;
  /** The meaning of the record key; records of one key stay in order, in one partition. */
  readonly key: TopicKey;
  readonly value: AvroSchema<Value>;
  readonly partitions: number;
  readonly cleanup: Cleanup;
  /** The largest record batch that the brokers accept, in bytes. */
  readonly maxMessageBytes: number;
  /** The stage that writes it, for the catalogue. */
  readonly owner: string;
}

type TopicKey =
  | 'task id'
  | 'edge instance'
  | 'key id'
  | 'session id'
  | 'metric'
  | 'workspace:metric'
  | 'workspace/spool/dataset'
  | 'workspace/agent/host'
  | 'trace id'
  | 'cluster uuid'
  | 'workspace/cluster uuid'
  | 'workspace/cluster uuid/piece'
  | 'workspace, in two parts'
  | 'dead letter'
  | 'replay id'
  | 'process id'
  | 'scheduled task'
  | 'as source';

/** Names a file in schemas/avro; the phantom field ties it to the generated type. */
export interface AvroSchema<Value> {
  readonly schema: string;
  readonly phantom?: Value;
}

export interface Cleanup {
  readonly policy: 'delete' | 'compact' | 'compact,delete';
  /** Milliseconds; absent if nothing is deleted by age. */
  readonly retentionMs?: number;
  /** Segments roll after this long, so that age and compaction take effect in time. */
  readonly segmentMs?: number;
  /**
   * Every record stays this long, even if a later one has its key; absent if only a key's last record is
   * read.
   */
  readonly everyRecordMs?: number;
}

interface Duration {
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

const milliseconds = ({ minutes = 0, hours = 0, days = 0 }: Duration): number =>
  ((days * 24 + hours) * 60 + minutes) * 60_000;

export function avro<Value>(schema: string): AvroSchema<Value> {
  return { schema };
}

export function deleteAfter(duration: Duration): Cleanup {
  const retentionMs = milliseconds(duration);
  return { policy: 'delete', retentionMs, segmentMs: Math.max(60_000, Math.floor(retentionMs / 4)) };
}

export function compact(): Cleanup {
  return { policy: 'compact', segmentMs: milliseconds({ days: 1 }) };
}

/** For topics that are read for every record and for the last one: a sink that was down finds all of them. */
export function compactAfter(duration: Duration): Cleanup {
  return { ...compact(), everyRecordMs: milliseconds(duration) };
}

export function compactAndDeleteAfter(duration: Duration): Cleanup {
  return {
    policy: 'compact,delete',
    retentionMs: milliseconds(duration),
    segmentMs: milliseconds({ hours: 6 }),
  };
}

/**
 * The largest record batch of a topic, in bytes. A result can be thirty times as large as its text (every few
 * characters an entity, listed in several metrics), and must still fit.
 */
export const largestBatch = 16 * 1024 * 1024;

export function topic<Value>(
  declaration: Omit<Topic<Value>, 'maxMessageBytes'> & { readonly maxMessageBytes?: number },
): Topic<Value> {
  return { maxMessageBytes: largestBatch, ...declaration };
}

/** The name of a topic's schema in the registry (Confluent's TopicNameStrategy). */
export function subjectOf(of: Topic): string {
  return `${of.name}-value`;
}
