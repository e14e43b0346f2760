import { largestBatch } from '../../../topics/topic.js';

/** A record to be appended, already encoded. */
export interface EncodedRecord {
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The partition that it must go to; by default its key decides. */
  readonly partition?: number;
  /** Decides the partition instead of the key, so that records with different keys can share one. */
  readonly partitionKey?: string;
}

/** The catalogue's `max.message.bytes`, less what Kafka and a dead letter's headers add around one record. */
export const largestRecord = largestBatch - 16 * 1024;

/** What a record adds to a batch besides its key and value: lengths, deltas, an empty list of headers. */
const recordOverhead = 24;

export function sizeOf({ key, value, headers }: EncodedRecord): number {
  let bytes = recordOverhead + (value?.length ?? 0);
  if (key !== null) bytes += typeof key === 'string' ? Buffer.byteLength(key) : key.length;
  if (headers === undefined) return bytes;
  for (const [name, text] of Object.entries(headers)) bytes += 4 + name.length + Buffer.byteLength(text);
  return bytes;
}

/**
 * Appends durably, batched across callers. A promise that resolves means that every in-sync replica has the record.
 * It rejects with BUFFER_FULL (nothing was sent), APPEND_TIMED_OUT or APPEND_FAILED (the record may or may not be
 * there: nothing was promised).
 */
export interface Appender {
  /** Appends one caller's records stage by stage: a stage is sent only once the earlier ones are durable. */
  append(...stages: readonly (readonly EncodedRecord[])[]): Promise<void>;
  /**
   * Counts `bytes` as in flight until `work` has ended, for bytes that do not go through `append` itself: a
   * body that is being read, a transaction. Rejects with BUFFER_FULL, without starting `work`, if there is no
   * room for them.
   */
  holding<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
  /** How full the bounded buffer is; admission turns callers away over the soft bound. */
  readonly pressure: AppendPressure;
  /** Sends what waits, then disconnects. */
  stop(): Promise<void>;
}

export interface AppendPressure {
  readonly bytesInFlight: number;
  /** Over the soft bound: new work is answered 429. */
  readonly soft: boolean;
  /** Over the hard bound, or Kafka is known to be down: new work is answered 503. */
  readonly hard: boolean;
}
