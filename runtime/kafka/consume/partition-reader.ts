import { reasonOf, TelltaleError } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Gauge, Metrics } from '../../metrics.js';
import { Backoff, pause } from '../../backoff.js';
import type { LogAccess } from './log-access.js';
import { OpenTransactions } from '../protocol/record-batches.js';
import {
  isAborted,
  readFromBroker,
  stateOf,
  type PartitionState,
  type ReadingOptions,
} from './read-from-broker.js';

/**
 * Reads partitions forever, without a consumer group. It delivers only final records (see OpenTransactions),
 * and repeats a delivery until `deliver` resolves. Records come in log order, except that those of a
 * transaction come with its commit.
 */
export interface PartitionReader {
  /** Reads these partitions too, from these offsets on. */
  add(from: ReadonlyMap<number, number>): void;
  /** Stops reading the partition; a delivery in progress may still have its records. */
  remove(partition: number): void;
  /** Whether a transaction that is still open at the position has a record of this key. */
  isUndecided(partition: number, key: string): boolean;
  /** The next offset to be read: all records before it are delivered, or about to be. */
  positionOf(partition: number): number;
  /** Stops reading; resolves after the last delivery. */
  stop(): Promise<void>;
}

interface PartitionReaderOptions extends ReadingOptions {
  /** Reports the lag, if given. */
  readonly metrics?: Metrics;
  /** The first offset of each partition to be read. */
  readonly from: ReadonlyMap<number, number>;
}

/** The sleep while there are no partitions to read; an added one ends it at once. */
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
  const { log } = given;
  const options = measuringLag(given, states);
  const backoff = new Backoff(20, 2_000);
  while (!stopped.aborted) {
    try {
      await readUntilMoved(options, states, { stopped, changed: changed() }, () => backoff.succeeded());
    } catch (error) {
      if (isAborted(stopped)) break;
      const ms = backoff.next();
      tellStopped(options, error, ms);
      await pause(ms, stopped);
      await log.refresh().catch(() => undefined);
    }
  }
}

function tellStopped(
  { logger, topic }: PartitionReaderOptions,
  error: unknown,
  pauseMs: number,
  leader?: string,
): void {
  const details = { topic, leader, reason: reasonOf(error), retryInMs: Math.round(pauseMs) };
  logger.warn(
    { event: 'reader-stopped', ...details },
    leader === undefined
      ? 'reading stopped; connecting again'
      : "this broker's partitions cannot be read; trying again",
  );
}

/** A reader without a group has no committed offset that others could compare with the log's end. */
function lagGauge({ metrics }: PartitionReaderOptions): Gauge<'topic' | 'partition'> | undefined {
  return metrics?.gauge(
    'telltale_reader_lag_offsets',
    'Offsets between the position of a view or of the replies and the log end, as of the last read.',
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

interface Signals {
  readonly stopped: AbortSignal;
  readonly ended: AbortSignal;
}

/**
 * Runs one read loop per broker. All of them end when a partition has another leader, and when partitions
 * were added or removed. Rejects if a broker is silent, or none reports the leaders: then the caller
 * reconnects.
 */
async function readUntilMoved(
  options: PartitionReaderOptions,
  states: Map<number, PartitionState>,
  { stopped, changed }: { readonly stopped: AbortSignal; readonly changed: AbortSignal },
  succeeded: () => void,
): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([stopped, changed, over.signal]);
  const { log } = options;
  if (states.size === 0) return pause(idleMs, ended);
  const [led, leaderless] = split([...states.keys()], (partition) => log.hasLeader(partition));
  const loops: Promise<unknown>[] = [...log.byLeader(led)].map(([leader, partitions]) =>
    readWhileLed(options, leader, partitions, states, { stopped, ended }, succeeded),
  );
  if (leaderless.length > 0) loops.push(oneHasLeader(log, leaderless, ended));
  const outcomes = await Promise.allSettled(loops.map((loop) => loop.finally(() => over.abort())));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason as Error;
}

/**
 * Reads until one of the partitions has another leader. If the broker is unavailable, only this loop retries:
 * the other brokers' partitions are still read, over the existing connections.
 */
async function readWhileLed(
  options: PartitionReaderOptions,
  leader: string,
  partitions: readonly number[],
  states: Map<number, PartitionState>,
  signals: Signals,
  succeeded: () => void,
): Promise<void> {
  const { log } = options;
  const backoff = new Backoff(20, 2_000);
  const hasMoved = (partition: number): boolean =>
    !log.hasLeader(partition) || !log.byLeader([partition]).has(leader);
  const onRead = (): void => {
    backoff.succeeded();
    succeeded();
  };
  while (!signals.ended.aborted) {
    try {
      await readFromBroker(options, leader, partitions, states, signals, onRead);
    } catch (error) {
      if (isAborted(signals.ended)) return;
      if (isSilence(error)) throw error;
      const ms = backoff.next();
      tellStopped(options, error, ms, leader);
      const retry = AbortSignal.any([signals.ended, AbortSignal.timeout(Math.round(ms))]);
      if (await leadersAre(log, retry, () => partitions.some(hasMoved))) return;
    }
  }
}

/** The connection can look open although its other end is gone: kafkajs would keep using it. */
const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KafkaJSRequestTimeoutError';

/** Resolves once one of these partitions has a leader; partitions that have one are read meanwhile. */
const oneHasLeader = (log: LogAccess, partitions: readonly number[], ended: AbortSignal): Promise<unknown> =>
  leadersAre(log, ended, () => partitions.some((partition) => log.hasLeader(partition)));

/** Polls the leaders, at least once, until `isWanted` holds (true) or the signal is aborted (false). */
async function leadersAre(log: LogAccess, ended: AbortSignal, isWanted: () => boolean): Promise<boolean> {
  for (;;) {
    await pause(leaderCheckMs, ended);
    await log.recount();
    if (isWanted()) return true;
    if (ended.aborted) return false;
  }
}

const leaderCheckMs = 250;

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Connects, however long Kafka is down; false once stopped. Also waits for a missing topic. Logs retries. */
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
        'the log cannot be opened yet; trying again',
      );
      await pause(backoff.next(), stopped);
    }
  }
  return false;
}
