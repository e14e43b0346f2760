import type { LogRecord } from '../kafka/protocol/record-batches.js';
import type { WriterSchema } from '../registry/writer-schemas.js';

/** What becomes of a record. */
export type SinkRecord = StoredRecord | DeadRecord;

/** A record that has rows, if ClickHouse takes them. */
export interface StoredRecord {
  readonly offset: number;
  readonly kind: 'stored';
  readonly schema: WriterSchema;
  /** As the topic has it, with the schema's id. */
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
