import type { KafkaMessage } from 'kafkajs';

/** A record as it came: what its rows are made of, however often. */
export type SourceMessage = Pick<KafkaMessage, 'key' | 'value' | 'offset' | 'timestamp'>;

/** What a sink makes of a record. */
export type SinkRecord =
  | {
      readonly offset: number;
      readonly kind: 'row';
      /** Its rows, each the text of a JSON object. */
      readonly json: readonly string[];
      readonly source: SourceMessage;
    }
  | DeadRecord;

export interface DeadRecord {
  readonly offset: number;
  readonly kind: 'dead';
  readonly letter: DeadLetterReason;
}

export interface DeadLetterReason {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly code: string;
  readonly reason: string;
}
