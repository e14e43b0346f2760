import { createHash } from 'node:crypto';
import type { LogRecord } from '../kafka/protocol/record-batches.js';
import { deadLetterHeaders } from '../../topics/dead-letters.js';

/** A record in a topic of dead letters. */
export interface FoundDeadLetter {
  /** The same for every copy: a sink that is killed may write a letter twice. */
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
  /** Points into the memory of the fetch: copy what is to be kept. */
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
  // A topic that was made anew begins at offset 0 again. The digest of the bytes tells its records from earlier ones.
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
