import type { Topic } from '../topics/topic.js';

/** A decoded record as a processor sees it. */
export interface IncomingRecord<Value> {
  readonly topic: string;
  readonly partition: number;
  /** Offsets are numbers: 2^53 records per partition are enough. */
  readonly offset: number;
  readonly key: string;
  readonly value: Value;
  /** Log-append time, microseconds since 1970. */
  readonly appendedAt: number;
}

/** A record to be appended. The codec of its topic encodes the value. */
export interface OutgoingRecord<Value = unknown> {
  readonly topic: Topic<Value>;
  readonly key: string;
  /** Null removes the key from a compacted topic. */
  readonly value: Value | null;
  /** The partition that it must go to; chosen by the key unless given. */
  readonly partition?: number;
}

/** What a processor reads and writes. */
export interface ProcessorDeclaration<In> {
  readonly name: string;
  readonly from: Topic<In>;
  readonly to: readonly Topic[];
}

/**
 * A processor: topic → topics. Its step returns its outcomes and never sees a producer, an offset or a transaction. So
 * it is tested with plain values, and a mistake in it can't lose a record.
 */
export interface Processor<In> extends ProcessorDeclaration<In> {
  /** The most records that are passed to one step. */
  readonly batchSize: number;
  /**
   * The most bytes of each partition that one fetch returns, except for a single larger record. All fetched records are
   * processed before the next fetch, so with few bytes the partitions that have records take turns.
   */
  readonly fetchBytes?: number;
  /**
   * How many of these records, from the first, fit into the partition's turn; all of them unless given. The
   * others are fetched again after the records of other partitions.
   */
  turn?(records: readonly IncomingRecord<In>[]): number;
  /** One outcome for each record, in their order. An exception is an unknown error: it ends the process. */
  step(records: readonly IncomingRecord<In>[], context: StepContext): Promise<readonly StepOutcome[]>;
  /**
   * The announcement of records that take longer than `afterMs`: committed on its own, before the outcome, under the
   * same transactional id (so that a fenced predecessor can't announce anything).
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
   * For a step that keeps state: one object from one acquisition of the partition to the next. State kept
   * under another object might belong to a transaction that was never committed, or predate another process's
   * work. Absent if no loop runs the step.
   */
  readonly assignment?: object;
}

export type StepOutcome =
  | { readonly kind: 'emit'; readonly records: readonly OutgoingRecord[] }
  /** The record is done; the drop is counted by its reason. */
  | { readonly kind: 'drop'; readonly reason: string }
  /** The record can never be processed: raw bytes and reason go to `<topic>.dead-letters`. */
  | { readonly kind: 'dead-letter'; readonly code: string; readonly reason: string }
  /** A dependency is unavailable: the whole batch is retried after a pause; nothing is skipped. */
  | { readonly kind: 'retry-later'; readonly cause: unknown };

export const emit = (...records: readonly OutgoingRecord[]): StepOutcome => ({ kind: 'emit', records });
export const drop = (reason: string): StepOutcome => ({ kind: 'drop', reason });
export const deadLetter = (code: string, reason: string): StepOutcome => ({
  kind: 'dead-letter',
  code,
  reason,
});
export const retryLater = (cause: unknown): StepOutcome => ({ kind: 'retry-later', cause });

/** Pairs a value with the topic for it, so that the compiler checks the pair. */
export function record<Value>(topic: Topic<Value>, key: string, value: Value): OutgoingRecord {
  return { topic: topic, key, value };
}

/** Removes a key from a compacted topic. */
export const removal = (topic: Topic, key: string): OutgoingRecord => ({ topic, key, value: null });
