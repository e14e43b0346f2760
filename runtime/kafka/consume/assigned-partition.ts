import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { LogRecord } from '../protocol/record-batches.js';
import { reasonOf } from '../../errors.js';

/**
 * The records of one fetch of a partition that is assigned to this member of a group, and the member's actions on it.
 */
export interface AssignedBatch {
  readonly topic: string;
  readonly partition: number;
  /** In the order of the log, at least one; control records and aborted ones are left out. */
  readonly records: readonly LogRecord[];
  /** The offset that the fetch asked for. */
  readonly fetchedFrom: number;
  /** The offset after all that the fetch brought, control records included. */
  readonly end: number;
  /** The partition's log end at the time of the fetch. */
  readonly logEnd: number;
  /** Whether the member continues: once it stops, no further work is to begin. */
  isRunning(): boolean;
  /** Whether the member has sought another position since: then the rest of the batch is not to be processed. */
  isStale(): boolean;
  /** Rejects where the group rebalances, or can't be reached. */
  heartbeat(): Promise<void>;
  /** The next fetch begins after this offset. Commits nothing. */
  resolve(offset: number): void;
  /** Commits the next offset to read, with metadata. Refused where the member is not of the group's present generation. */
  commit(next: number, metadata: string): Promise<void>;
  /** The partition is not fetched until the returned function is called. */
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
 * Keeps the group membership alive while `work` runs. A heartbeat that fails (a rebalance, an outage) aborts the
 * signal, and is thrown where the work was dropped: the library rejoins the group only when it sees the error itself.
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

  /** The result of the partition's acquisition; acquires it where nobody has. A failed acquisition is forgotten. */
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

  /** Undefined where the partition is not acquired, or not yet. */
  present(partition: number): Acquired | undefined {
    return this.entries.get(partition)?.acquired;
  }

  /** Where `acquiring` is given, forgets only that acquisition: the partition may have been acquired again since. */
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
