import type { Topic } from '../topics/topic.js';
import type { IncomingRecord, OutgoingRecord } from './kafka/produce/records.js';

/**
 * A processor: topic → topics. Its step returns what it wants and never sees a producer, an offset or a transaction:
 * so it is tested with plain values, and a mistake in it can't lose a record.
 */
export interface Processor<In> {
  readonly name: string;
  readonly from: Topic<In>;
  readonly to: readonly Topic[];
  /** At most so many records are given to one step. */
  readonly batchSize: number;
  /**
   * The most bytes of each partition that one fetch brings, a single larger record aside. All that was fetched is done
   * before the next fetch, so with few bytes the partitions that have records take turns.
   */
  readonly fetchBytes?: number;
  /**
   * How many of these records, the first ones, make up the partition's turn; all of them unless given. The others come
   * again after what was fetched of other partitions.
   */
  turn?(records: readonly IncomingRecord<In>[]): number;
  /** One outcome a record, in the order of the records. A throw is an unknown error: the process ends, loudly. */
  step(records: readonly IncomingRecord<In>[], context: StepContext): Promise<readonly StepOutcome[]>;
  /**
   * What to say about records that take longer than `afterMs`: committed on its own, before the outcome, under the
   * same transactional id (so that a fenced predecessor can say nothing).
   */
  readonly announce?: {
    readonly afterMs: number;
    records(record: IncomingRecord<In>): readonly OutgoingRecord[];
  };
}

export interface StepContext {
  /** Aborted when the partition is taken away or the process stops. */
  readonly signal: AbortSignal;
  /**
   * For a step that remembers: one object from an acquisition of the partition to the next. What a step remembers under another one may be of a
   * transaction that was never committed, or older than what another process has done since. Absent where no loop runs the step.
   */
  readonly assignment?: object;
}

export type StepOutcome =
  | { readonly kind: 'emit'; readonly records: readonly OutgoingRecord[] }
  /** Counted by its reason; the record is done. */
  | { readonly kind: 'drop'; readonly reason: string }
  /** The record can't be processed, ever: raw bytes and reason go to `<topic>.dead-letters`. */
  | { readonly kind: 'dead-letter'; readonly code: string; readonly reason: string }
  /** A dependency is away: the whole batch is tried again after a pause; nothing is skipped. */
  | { readonly kind: 'retry-later'; readonly cause: unknown };

export const emit = (...records: readonly OutgoingRecord[]): StepOutcome => ({ kind: 'emit', records });
export const drop = (reason: string): StepOutcome => ({ kind: 'drop', reason });
export const deadLetter = (code: string, reason: string): StepOutcome => ({
  kind: 'dead-letter',
  code,
  reason,
});
export const retryLater = (cause: unknown): StepOutcome => ({ kind: 'retry-later', cause });

/** Ties a value to the topic that takes it, so that the compiler checks the pair. */
export function record<Value>(topic: Topic<Value>, key: string, value: Value): OutgoingRecord {
  return { topic: topic, key, value };
}
