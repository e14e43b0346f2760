import type { LogRecord } from '../kafka/protocol/record-batches.js';
import type { WriterSchema } from '../registry/writer-schemas.js';

/** A record of the topic, as the sink treats it. */
export type SinkRecord = StoredRecord | DeadRecord;

/** A record whose rows are inserted, if ClickHouse accepts them. */
export interface StoredRecord {
  readonly offset: number;
  readonly kind: 'stored';
  readonly schema: WriterSchema;
  /** The value as in the topic, with the schema's id. */
  readonly value: Buffer;
  readonly source: LogRecord;
}

export interface DeadRecord {
  readonly offset: number;
  readonly kind: 'dead';
  readonly letter: DeadLetterReason;
}

interface DeadLetterReason {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: LogRecord['headers'];
  readonly code: string;
  readonly reason: string;
}
