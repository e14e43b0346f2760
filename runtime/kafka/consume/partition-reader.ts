import { reasonOf, TelltaleError } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Gauge, Metrics } from '../../metrics.js';
import { Backoff, pause } from '../../backoff.js';
import { logStart, type FetchedPartition, type LogAccess } from './log-access.js';
import { OpenTransactions } from '../protocol/open-transactions.js';
import type { LogRecord } from '../protocol/record-batches.js';

/**
 * Reads partitions forever, without a consumer group: final records only (see open-transactions.ts), each delivered
 * until `deliver` has resolved once, in the order of the log but for those of a transaction, which come with its commit.
 */
export interface PartitionReader {
  /** Reads these partitions too, from these offsets on. */
  add(from: ReadonlyMap<number, number>): void;
  /** Reads the partition no longer; a delivery that is under way may still hold records of it. */
  remove(partition: number): void;
  /** Whether what was read of the partition ends amid a transaction that holds a record of this key. */
  isUndecided(partition: number, key: string): boolean;
  /** The next offset to be read: all before it is delivered, or about to be. */
  positionOf(partition: number): number;
  /** Ends the reading; resolves once nothing is delivered any more. */
  stop(): Promise<void>;
}

export interface PartitionReaderOptions {
  readonly topic: string;
  readonly log: LogAccess;
  readonly logger: Logger;
  /** Where the lag is said; it is not where there are none. */
  readonly metrics?: Metrics;
  /** First offset of each partition that is to be read. */
  readonly from: ReadonlyMap<number, number>;
  /** Takes what one fetch brought. While it rejects, the same is delivered again after a pause. */
  readonly deliver: (deliveries: readonly Delivery[]) => Promise<void>;
  /** How long a broker may hold a fetch that has nothing to give. */
  readonly maxWaitMs?: number;
  readonly maxBytesPerPartition?: number;
}

export interface Delivery {
  readonly partition: number;
  readonly records: readonly LogRecord[];
  /** The next offset to be read: past control records, aborted and compacted ones. */
  readonly position: number;
  /** Where a later reader must begin to miss nothing: before the records of transactions still open. */
  readonly restartAt: number;
  /** Where the partition ended when this was fetched. */
  readonly highWatermark: number;
  /** Log-append time of the last batch read, milliseconds; undefined where none was. */
  readonly lastTimestamp: number | undefined;
}

interface PartitionState {
  position: number;
  transactions: OpenTransactions;
}

const offsetOutOfRange = 1;
/** With nothing to read; whatever is added ends it at once. */
const idleMs = 60_000;

export function startPartitionReader(options: PartitionReaderOptions): PartitionReader {
  const stopped = new AbortController();
  const states = new Map<number, PartitionState>();
  let changed = new AbortController();
  const beginAnew = (): void => {
    const before = changed;
    changed = new AbortController();
    before.abort();
  };
  const add = (from: ReadonlyMap<number, number>): void => {
    for (const [partition, position] of from)
      states.set(partition, { position, transactions: new OpenTransactions() });
    beginAnew();
  };
  add(options.from);
  const running = readForever(options, states, () => changed.signal, stopped.signal);
  return {
    add,
    remove(partition) {
      if (!states.delete(partition)) return;
      lagGauge(options)?.remove({ topic: options.topic, partition: String(partition) });
      beginAnew();
    },
    isUndecided: (partition, key) => stateOf(states, partition).transactions.holds(key),
    positionOf: (partition) => stateOf(states, partition).position,
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

async function readForever(
  given: PartitionReaderOptions,
  states: Map<number, PartitionState>,
  changed: () => AbortSignal,
  stopped: AbortSignal,
): Promise<void> {
  const { topic, log, logger } = given;
  const options = measuringLag(given, states);
  const backoff = new Backoff(20, 2_000);
  while (!stopped.aborted) {
    try {
      await readUntilFailure(options, states, { stopped, changed: changed() }, () => backoff.succeeded());
    } catch (error) {
      if (isAborted(stopped)) break;
      const ms = backoff.next();
      logger.warn(
        { event: 'reader-stopped', topic, reason: reasonOf(error), retryInMs: Math.round(ms) },
        'reading stopped; trying again',
      );
      await pause(ms, stopped);
      await log.refresh().catch(() => undefined);
    }
  }
}

/** Whoever reads without a group has no committed offset that others could compare with the log's end. */
function lagGauge({ metrics }: PartitionReaderOptions): Gauge<'topic' | 'partition'> | undefined {
  return metrics?.gauge(
    'telltale_reader_lag_offsets',
    'Offsets between what a view or the replies have taken and the log end, when it was last read.',
    ['topic', 'partition'],
  );
}

function measuringLag(
  options: PartitionReaderOptions,
  states: ReadonlyMap<number, PartitionState>,
): PartitionReaderOptions {
  const { topic, deliver } = options;
  const lag = lagGauge(options);
  if (lag === undefined) return options;
  return {
    ...options,
    async deliver(deliveries) {
      await deliver(deliveries);
      for (const { partition, highWatermark, position } of deliveries)
        if (states.has(partition))
          lag.set({ topic, partition: String(partition) }, Math.max(0, highWatermark - position));
    },
  };
}

/** Asked anew after an await: the compiler takes the loop's condition for still true. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** One reading loop a broker; the first failure ends them all, as leaders may have moved, and so do new partitions. */
async function readUntilFailure(
  options: PartitionReaderOptions,
  states: Map<number, PartitionState>,
  { stopped, changed }: { readonly stopped: AbortSignal; readonly changed: AbortSignal },
  succeeded: () => void,
): Promise<void> {
  const failed = new AbortController();
  const ended = AbortSignal.any([stopped, changed, failed.signal]);
  const { log } = options;
  if (states.size === 0) return pause(idleMs, ended);
  const [led, leaderless] = split([...states.keys()], (partition) => log.hasLeader(partition));
  const loops = [...log.byLeader(led)].map(async ([leader, partitions]) => {
    try {
      await readFromBroker(options, leader, partitions, states, { stopped, ended }, succeeded);
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  if (leaderless.length > 0) loops.push(oneHasLeader(log, leaderless, ended).finally(() => failed.abort()));
  const outcomes = await Promise.allSettled(loops);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason as Error;
}

/** Resolves once one of the partitions has a leader; the others are read meanwhile. */
async function oneHasLeader(
  log: LogAccess,
  partitions: readonly number[],
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted && !partitions.some((partition) => log.hasLeader(partition))) {
    await pause(leaderCheckMs, ended);
    await log.recount().catch(() => undefined);
  }
}

const leaderCheckMs = 250;

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** While one answer is delivered, the next is already on its way; never more than that one. */
async function readFromBroker(
  options: PartitionReaderOptions,
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
    // Partitions may have been taken away since, or begun anew elsewhere: what is left is asked for again.
    if (isAborted(ended)) break;
    const read = fetched
      .filter(({ error }) => error === 0)
      .map((partition) => {
        const state = stateOf(states, partition.partition);
        return { state, delivery: deliveryOf(partition, state) };
      });
    const failed = fetched.filter(({ error }) => error !== 0);
    if (failed.length === 0 && !isAborted(ended)) next = fetchNext();
    // What is removed meanwhile is not delivered again: the partition may be read anew from elsewhere by then.
    const wanted = (): readonly Delivery[] =>
      read
        .filter(({ state, delivery }) => states.get(delivery.partition) === state)
        .map(({ delivery }) => delivery);
    // Only a stop of the reader may give up a delivery: its records are behind the position already.
    await deliverUntilTaken(options, wanted, stopped);
    if (failed.length > 0 && !isAborted(ended)) {
      await recover(options, failed, states);
      if (!isAborted(ended)) next = fetchNext();
    }
    succeeded();
  }
  // kafkajs never ends a connection that it closes while a request is being written to it.
  if (stopped.aborted) await next.catch(() => undefined);
}

function stateOf(states: ReadonlyMap<number, PartitionState>, partition: number): PartitionState {
  const state = states.get(partition);
  if (state === undefined) throw new RangeError(`partition ${partition} was not asked for`);
  return state;
}

/** Moves the state past what was fetched: from here on these records are only in the delivery. */
function deliveryOf(fetched: FetchedPartition, state: PartitionState): Delivery {
  const from = state.position;
  const records: LogRecord[] = [];
  let lastTimestamp: number | undefined;
  for (const batch of fetched.batches) {
    if (batch.nextOffset <= state.position) continue;
    for (const record of state.transactions.settle(batch, from)) records.push(record);
    state.position = batch.nextOffset;
    lastTimestamp = batch.records.at(-1)?.timestamp ?? lastTimestamp;
  }
  return {
    partition: fetched.partition,
    records,
    position: state.position,
    restartAt: state.transactions.restartAt(state.position),
    highWatermark: fetched.highWatermark,
    lastTimestamp,
  };
}

async function deliverUntilTaken(
  { deliver, topic, logger }: PartitionReaderOptions,
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
        'what was read could not be taken; trying again',
      );
      await pause(backoff.next(), stopped);
      if (stopped.aborted) throw error;
    }
  }
}

/** An offset that the log no longer has is answered by reading from its start; every other error by new metadata. */
async function recover(
  { topic, log, logger }: PartitionReaderOptions,
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
      'the position is not in the log any more (retention, or the topic was made anew); reading from the start',
    );
    state.position = start;
    state.transactions = new OpenTransactions();
  }
}

/** Connects, however long Kafka is away; undefined once stopped. TOPIC_MISSING is waited for too, and said. */
export async function connectLog(log: LogAccess, logger: Logger, stopped: AbortSignal): Promise<boolean> {
  const backoff = new Backoff(50, 2_000);
  while (!stopped.aborted) {
    try {
      await log.refresh();
      return true;
    } catch (error) {
      const code = error instanceof TelltaleError ? error.code : undefined;
      logger.warn(
        { event: 'reader-log-not-open', reason: reasonOf(error), code },
        'the log can not be opened yet; trying again',
      );
      await pause(backoff.next(), stopped);
    }
  }
  return false;
}
