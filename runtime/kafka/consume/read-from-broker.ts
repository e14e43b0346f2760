import { reasonOf } from '../../errors.js';
import type { Logger } from '../../logging.js';
import { Backoff, pause } from '../../backoff.js';
import { type LogRecord, OpenTransactions } from '../protocol/record-batches.js';
import type { FetchedPartition } from '../protocol/fetch-request.js';
import { logStart, type LogAccess } from './log-access.js';

export interface ReadingOptions {
  readonly topic: string;
  readonly log: LogAccess;
  readonly logger: Logger;
  /** Takes the records of one fetch. While it rejects, they are delivered again after a pause. */
  readonly deliver: (deliveries: readonly Delivery[]) => Promise<void>;
  /** How long a broker may hold an empty fetch. A reader stops or changes partitions only between fetches. */
  readonly maxWaitMs?: number;
  readonly maxBytesPerPartition?: number;
  /** The log no longer has the next offset, so the partition is read from its log start. */
  readonly onExpired?: (partition: number, logStart: number) => void;
}

/** For readers that keep their partitions while their process lives: fewer fetches without data. */
export const lastingReaderWaitMs = 500;

export interface Delivery {
  readonly partition: number;
  readonly records: readonly LogRecord[];
  /** The next offset to be read: after control records, aborted and compacted ones. */
  readonly position: number;
  /** Where a later reader must start to miss nothing: before the records of open transactions. */
  readonly restartAt: number;
  /** The partition's end when this was fetched. */
  readonly highWatermark: number;
  /** The latest log-append time of what was read, milliseconds; undefined if nothing was. */
  readonly latestTimestamp: number | undefined;
}

export interface PartitionState {
  position: number;
  transactions: OpenTransactions;
}

const offsetOutOfRange = 1;

/** To check again after an await: the compiler assumes that the loop's condition still holds. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Fetches one answer ahead while the previous one is delivered. */
export async function readFromBroker(
  options: ReadingOptions,
  leader: string,
  partitions: readonly number[],
  states: Map<number, PartitionState>,
  { stopped, ended }: { readonly stopped: AbortSignal; readonly ended: AbortSignal },
  succeeded: () => void,
): Promise<void> {
  const fetchNext = (): Promise<readonly FetchedPartition[]> => {
    const fetched = options.log.fetch({
      leader,
      from: new Map(partitions.map((partition) => [partition, stateOf(states, partition).position])),
      maxWaitMs: options.maxWaitMs ?? 200,
      maxBytesPerPartition: options.maxBytesPerPartition ?? 1024 * 1024,
    });
    fetched.catch(() => undefined); // it is awaited below, after a delivery
    return fetched;
  };
  let next = fetchNext();
  while (!ended.aborted) {
    const fetched = await next;
    // Partitions may have been removed or restarted at another offset since; the others are fetched again.
    if (isAborted(ended)) break;
    const read = fetched
      .filter(({ error }) => error === 0)
      .map((partition) => {
        const state = stateOf(states, partition.partition);
        return { state, delivery: deliveryOf(partition, state) };
      });
    const failed = fetched.filter(({ error }) => error !== 0);
    if (failed.length === 0 && !isAborted(ended)) next = fetchNext();
    // Partitions removed meanwhile are not delivered again: they may already be read from another offset.
    const wanted = (): readonly Delivery[] =>
      read
        .filter(({ state, delivery }) => states.get(delivery.partition) === state)
        .map(({ delivery }) => delivery);
    // Only stopping the reader may abandon a delivery: the position is already past its records.
    await deliverUntilTaken(options, wanted, stopped);
    if (failed.length > 0 && !isAborted(ended)) {
      await recover(options, failed, states);
      if (!isAborted(ended)) next = fetchNext();
    }
    succeeded();
  }
  // If kafkajs closes a connection while a request is being written to it, the connection never ends.
  if (stopped.aborted) await next.catch(() => undefined);
}

export function stateOf(states: ReadonlyMap<number, PartitionState>, partition: number): PartitionState {
  const state = states.get(partition);
  if (state === undefined) throw new RangeError(`partition ${partition} was not asked for`);
  return state;
}

/** Moves the state past the fetched records: from here on they are only in the delivery. */
function deliveryOf(fetched: FetchedPartition, state: PartitionState): Delivery {
  const from = state.position;
  const records: LogRecord[] = [];
  let latest = -Infinity;
  for (const batch of fetched.batches) {
    if (batch.nextOffset <= state.position) continue;
    for (const record of state.transactions.settle(batch, from)) records.push(record);
    state.position = batch.nextOffset;
    // The maximum of all: the log has batches of successive leaders, whose clocks differ.
    latest = Math.max(latest, batch.maxTimestamp);
  }
  return {
    partition: fetched.partition,
    records,
    position: state.position,
    restartAt: state.transactions.restartAt(state.position),
    highWatermark: fetched.highWatermark,
    latestTimestamp: latest === -Infinity ? undefined : latest,
  };
}

async function deliverUntilTaken(
  { deliver, topic, logger }: ReadingOptions,
  wanted: () => readonly Delivery[],
  stopped: AbortSignal,
): Promise<void> {
  const backoff = new Backoff(50, 5_000);
  for (;;) {
    const deliveries = wanted();
    if (deliveries.length === 0) return;
    try {
      await deliver(deliveries);
      return;
    } catch (error) {
      logger.error(
        { event: 'reader-records-not-taken', topic, reason: reasonOf(error) },
        'records could not be processed; trying again',
      );
      await pause(backoff.next(), stopped);
      if (stopped.aborted) throw error;
    }
  }
}

/**
 * If the log no longer has an offset, reading continues from the log start. Rejects on any other error, and
 * the caller loads the metadata again.
 */
async function recover(
  { topic, log, logger, onExpired }: ReadingOptions,
  failed: readonly FetchedPartition[],
  states: ReadonlyMap<number, PartitionState>,
): Promise<void> {
  const other = failed.find(({ error }) => error !== offsetOutOfRange);
  if (other !== undefined) {
    throw new Error(`partition ${other.partition}: Kafka answered error ${other.error}`);
  }
  const starts = await log.offsets(new Map(failed.map(({ partition }) => [partition, logStart])));
  for (const { partition } of failed) {
    const state = states.get(partition);
    if (state === undefined) continue;
    const start = starts.get(partition) ?? 0;
    logger.warn(
      { event: 'reader-position-gone', topic, partition, position: state.position, logStart: start },
      'the position is no longer in the log (retention, or the topic was recreated); reading from the start',
    );
    onExpired?.(partition, start);
    state.position = start;
    state.transactions = new OpenTransactions();
  }
}
