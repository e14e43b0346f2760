import { deadLetterHeaders, deadLettersOf } from '../../../topics/dead-letters.js';
import type { LogRecord } from '../protocol/record-batches.js';
import type { EncodedRecord } from './records.js';

/** A record that can't be processed, as it was, and why. */
export interface DeadLetter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly stage: string;
  readonly code: string;
  readonly reason: string;
  /** Of the record: one that was replayed says how often it had failed before. */
  readonly headers?: LogRecord['headers'] | undefined;
}

const longestReason = 2_000;

/** The record that goes to `<topic>.dead-letters`: the raw bytes, and origin, stage and reason as headers. */
export function deadLetterRecord(letter: DeadLetter): EncodedRecord {
  const name = deadLetterHeaders;
  return {
    topic: deadLettersOf(letter.topic),
    key: letter.key,
    value: letter.value,
    headers: {
      [name.topic]: letter.topic,
      [name.partition]: String(letter.partition),
      [name.offset]: String(letter.offset),
      [name.stage]: letter.stage,
      [name.code]: letter.code,
      [name.reason]: letter.reason.slice(0, longestReason),
      [name.attempts]: String(1 + failuresBefore(letter)),
    },
  };
}

function failuresBefore({ headers }: DeadLetter): number {
  const before = Number(headers?.[deadLetterHeaders.attempts]);
  return Number.isSafeInteger(before) && before > 0 ? before : 0;
}
