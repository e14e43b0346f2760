import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { LogRecord } from '../protocol/record-batches.js';
import { reasonOf } from '../../errors.js';

/**
 * The records of one fetch of a partition assigned to this group member, and the actions on that partition.
 */
export interface AssignedBatch {
  readonly topic: string;
  readonly partition: number;
  /** In log order, at least one; control records and aborted ones are left out. */
  readonly records: readonly LogRecord[];
  /** The offset that the fetch asked for. */
  readonly fetchedFrom: number;
  /** The offset after everything that the fetch returned, control records included. */
  readonly end: number;
  /** The partition's log end at the time of the fetch. */
  readonly logEnd: number;
  /** False once the member is stopping: no further work may start. */
  isRunning(): boolean;
  /** Whether the member has sought another position: then the rest of the batch must not be processed. */
  isStale(): boolean;
  /** Rejects if the group rebalances, or can't be reached. */
  heartbeat(): Promise<void>;
  /** Makes the next fetch start after this offset. Commits nothing. */
  resolve(offset: number): void;
  /** Commits the next offset to read, with metadata. Rejects if the member's generation is over. */
  commit(next: number, metadata: string): Promise<void>;
  /** Stops fetching the partition until the returned function is called. */
  pause(): () => void;
}

/** kafkajs's batch as an AssignedBatch. */
export function assignedBatch(payload: EachBatchPayload): AssignedBatch {
  const { topic, partition, messages, highWatermark } = payload.batch;
  // kafkajs's types lack this field.
  const { fetchedOffset } = payload.batch as typeof payload.batch & { readonly fetchedOffset: string };
  return {
    topic,
    partition,
    records: messages.map(logRecord),
    fetchedFrom: Number(fetchedOffset),
    end: Number(payload.batch.lastOffset()) + 1,
    logEnd: Number(highWatermark),
    isRunning: () => payload.isRunning(),
    isStale: () => payload.isStale(),
    heartbeat: () => payload.heartbeat(),
    resolve: (offset) => payload.resolveOffset(String(offset)),
    commit(next, metadata) {
      const position = { partition, offset: String(next), metadata };
      return payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [position] }] });
    },
    pause: () => payload.pause(),
  };
}

const logRecord = ({ offset, timestamp, key, value, headers }: KafkaMessage): LogRecord => ({
  offset: Number(offset),
  timestamp: Number(timestamp),
  key,
  value,
  headers: textOf(headers),
});

const noHeaders: LogRecord['headers'] = {};

/** The first value of a header that occurs several times. */
function textOf(headers: KafkaMessage['headers']): LogRecord['headers'] {
  if (headers === undefined) return noHeaders;
  const names = Object.keys(headers);
  if (names.length === 0) return noHeaders;
  return Object.fromEntries(
    names.map((name) => {
      const value = headers[name];
      return [name, String((Array.isArray(value) ? value[0] : value) ?? '')];
    }),
  );
}

const heartbeatEveryMs = 200;

/**
 * Keeps the group membership alive while `work` runs. A failed heartbeat (a rebalance, an outage) aborts the
 * signal. If `work` then has no result, this throws that error: the library rejoins the group only when it
 * sees it.
 */
export async function whileHeartbeating<Result>(
  { heartbeat }: Pick<AssignedBatch, 'heartbeat'>,
  work: (signal: AbortSignal) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const abort = new AbortController();
  let failure: Error | undefined;
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new Error(reasonOf(error));
      abort.abort();
    });
  }, heartbeatEveryMs);
  try {
    const result = await work(abort.signal);
    if (failure !== undefined && result === undefined) throw failure;
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Acquires each partition once, and shares the result among all callers until it is forgotten. */
export class AcquiredPartitions<Acquired> {
  private readonly entries = new Map<number, Entry<Acquired>>();

  /** The result of acquiring the partition, which the first call does. A failed acquisition is forgotten. */
  of(partition: number, acquire: () => Promise<Acquired>): Promise<Acquired> {
    const known = this.entries.get(partition);
    if (known !== undefined) return known.acquiring;
    const entry: Entry<Acquired> = { acquiring: acquire(), acquired: undefined };
    this.entries.set(partition, entry);
    entry.acquiring.then(
      (acquired) => (entry.acquired = acquired),
      () => this.forget(partition, entry.acquiring),
    );
    return entry.acquiring;
  }

  /** Undefined unless the partition has been acquired. */
  present(partition: number): Acquired | undefined {
    return this.entries.get(partition)?.acquired;
  }

  /** If `acquiring` is given, forgets only that one: the partition may have been acquired again since. */
  forget(partition: number, acquiring?: Promise<Acquired>): void {
    if (acquiring === undefined || this.entries.get(partition)?.acquiring === acquiring)
      this.entries.delete(partition);
  }

  /** Forgets all, and returns them, acquisitions under way included. */
  forgetAll(): readonly Promise<Acquired>[] {
    const all = [...this.entries.values()].map(({ acquiring }) => acquiring);
    this.entries.clear();
    return all;
  }
}

interface Entry<Acquired> {
  readonly acquiring: Promise<Acquired>;
  acquired: Acquired | undefined;
}
