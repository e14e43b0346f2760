import type { Topic } from '../../../topics/topic.js';

/** A record to be appended. The codec of its topic encodes the value. */
export interface OutgoingRecord<Value = unknown> {
  readonly topic: Topic<Value>;
  readonly key: string;
  /** Null removes the key from a compacted topic. */
  readonly value: Value | null;
  /** Where it must go; by its key unless given. */
  readonly partition?: number;
}

/** A record to be appended whose bytes are ready. */
export interface EncodedRecord {
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it must go; by its key unless given. */
  readonly partition?: number;
  /** Decides in place of the key where it goes, so that records with keys of their own share a partition. */
  readonly partitionKey?: string;
}

/** Where a record lies. Offsets are numbers: 2^53 records a partition are enough. */
interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** A decoded record as a processor sees it. */
export interface IncomingRecord<Value> extends Position {
  readonly key: string;
  readonly value: Value;
  /** Log-append time, microseconds since 1970. */
  readonly appendedAt: number;
}
