import { createHash } from 'node:crypto';
import type { LogRecord } from '../kafka/protocol/record-batches.js';
import { deadLetterHeaders, deadLettersOf } from '../../topics/dead-letters.js';
import type { EncodedRecord } from '../kafka/produce/appender.js';

/** A record that can't be processed, unchanged, and the reason. */
interface DeadLetter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly stage: string;
  readonly code: string;
  readonly reason: string;
  /** The record's own headers. Those of a replayed record say how often it has failed before. */
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

/** A record in a topic of dead letters. */
export interface FoundDeadLetter {
  /** The same for every copy: a sink that is killed can write a letter twice. */
  readonly id: string;
  /** Where the record came from. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly stage: string;
  readonly code: string;
  readonly reason: string;
  /** How often it has failed, replays included. */
  readonly attempts: number;
  /** When it became a dead letter, milliseconds since 1970. */
  readonly at: number;
  readonly key: Buffer | null;
  /** Points into the fetch's buffer: copy it to keep it. */
  readonly value: Buffer | null;
}

const idDigits = 16;

/** Undefined for a record that no stage of Telltale has written. */
export function foundDeadLetter({ headers, key, value, timestamp }: LogRecord): FoundDeadLetter | undefined {
  const header = (name: keyof typeof deadLetterHeaders): string => headers[deadLetterHeaders[name]] ?? '';
  const [topic, partition, offset] = [header('topic'), header('partition'), header('offset')];
  const stage = header('stage');
  if (topic === '' || partition === '' || offset === '' || stage === '') return undefined;
  const digest = createHash('sha256').update(JSON.stringify([topic, partition, offset, stage]));
  // A recreated topic starts at offset 0 again. The digest of the bytes tells its records from earlier ones.
  digest.update(value ?? '');
  return {
    id: digest.digest('hex').slice(0, idDigits),
    topic,
    partition: Number(partition),
    offset: Number(offset),
    stage,
    code: header('code'),
    reason: header('reason'),
    attempts: Number(header('attempts')) || 1,
    at: timestamp,
    key,
    value,
  };
}
