import { reasonOf, TelltaleError } from '../../errors.js';
import { kafkaUnreachable, type KafkaAccess } from '../client/kafka-access.js';
import { logEnd, logStart, openLog, type LogAccess } from './log-access.js';
import { startPartitionReader } from './partition-reader.js';
import type { LogRecord } from '../protocol/record-batches.js';
import type { Topic } from '../../../topics/topic.js';
import type { Codec } from '../../codec.js';

interface ReadLogOptions {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /**
   * Takes the committed records of one partition: in offset order if `ranges` is given, otherwise in the
   * order in which their transactions were committed. If it rejects, `readLog` rejects with that error.
   */
  readonly take: (partition: number, records: readonly LogRecord[]) => Promise<void> | void;
  /** Reads only these partitions, each from `from` up to but not including `to`. */
  readonly ranges?: ReadonlyMap<number, LogRange>;
  /** Whether to reject with RECORDS_EXPIRED if retention removes unread records, or to skip them. */
  readonly wantsAll?: boolean;
  readonly maxBytesPerPartition?: number;
  /** If nothing has been read for this long, Kafka counts as unreachable. */
  readonly timeoutMs?: number;
}

interface LogRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a topic from its log start up to its log end at the time of the call, without a consumer group.
 * Rejects with TOPIC_MISSING, or with KAFKA_UNREACHABLE if no more records arrive.
 */
export async function readLog({
  topic,
  kafka,
  take,
  ranges,
  wantsAll = false,
  maxBytesPerPartition = 1024 * 1024,
  timeoutMs = 60_000,
}: ReadLogOptions): Promise<void> {
  const log = openLog(topic, kafka);
  try {
    await log.refresh().catch((cause: unknown) => {
      throw cause instanceof TelltaleError ? cause : kafkaUnreachable(kafka, cause);
    });
    const wanted = ranges ?? (await wholeLog(log));
    const left = new Map([...wanted].flatMap(([id, { from, to }]) => (to > from ? [[id, to]] : [])));
    if (left.size === 0) return;
    const from = new Map([...left.keys()].map((partition) => [partition, wanted.get(partition)?.from ?? 0]));
    await new Promise<void>((resolve, reject) => {
      const timeOut = (): void => finish(() => reject(kafkaUnreachable(kafka)));
      let timer = setTimeout(timeOut, timeoutMs);
      let finished = false;
      const held = new Map<number, readonly LogRecord[]>();
      /** The records before `settled`, in order: no open transaction can add one there. Holds the rest. */
      const inOrder = (partition: number, arrived: readonly LogRecord[], settled: number): LogRecord[] => {
        const known = [...(held.get(partition) ?? []), ...arrived].sort((a, b) => a.offset - b.offset);
        held.set(
          partition,
          known.filter(({ offset }) => offset >= settled),
        );
        return known.filter(({ offset }) => offset < settled);
      };
      const reader = startPartitionReader({
        topic,
        log,
        logger: kafka.logger,
        from,
        maxBytesPerPartition,
        onExpired(partition, offset) {
          if (wantsAll)
            finish(() => reject(new TelltaleError('RECORDS_EXPIRED', { topic, partition, offset })));
        },
        async deliver(deliveries) {
          for (const { partition, records, position, restartAt } of deliveries) {
            const end = left.get(partition);
            if (finished || end === undefined) continue;
            clearTimeout(timer);
            const arrived = records.filter(({ offset }) => offset < end);
            try {
              await take(partition, ranges === undefined ? arrived : inOrder(partition, arrived, restartAt));
            } catch (error) {
              finish(() => reject(error instanceof Error ? error : new Error(reasonOf(error))));
              return;
            }
            timer = setTimeout(timeOut, timeoutMs);
            if ((ranges === undefined ? position : restartAt) >= end) left.delete(partition);
          }
          if (left.size === 0) finish(resolve);
        },
      });
      const finish = (settle: () => void): void => {
        if (finished) return;
        finished = true;
        clearTimeout(timer);
        // Not awaited: the reader stops only after its current delivery, which may be the caller.
        void reader.stop().then(settle);
      };
    });
  } finally {
    await log.close().catch(() => undefined);
  }
}

/** The log start of each partition, and its present end. */
export async function wholeLog(log: LogAccess): Promise<ReadonlyMap<number, LogRange>> {
  const at = (time: number) => log.offsets(new Map(log.partitions.map((partition) => [partition, time])));
  const [starts, ends] = [await at(logStart), await at(logEnd)];
  return new Map([...ends].map(([partition, to]) => [partition, { from: starts.get(partition) ?? 0, to }]));
}

interface PartitionValues<Value> {
  /** The last value of each key. */
  readonly values: ReadonlyMap<string, Value>;
  /** Records that could not be decoded, and were skipped. */
  readonly undecodable: number;
}

/**
 * The last committed value of each key in one partition of a compacted topic, up to its end at the time of
 * the call. Rejects with KAFKA_UNREACHABLE after `timeoutMs`, or as soon as `signal` is aborted.
 */
export async function readPartition<Value>(options: {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly partition: number;
  readonly kafka: KafkaAccess;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}): Promise<PartitionValues<Value>> {
  const { topic, codec, partition, kafka, timeoutMs = 60_000 } = options;
  const cancelled = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const log = openLog(topic.name, kafka);
  const values = new Map<string, Value>();
  let undecodable = 0;
  try {
    await log.refresh();
    const start = (await log.offsets(new Map([[partition, logStart]]))).get(partition) ?? 0;
    const end = (await log.offsets(new Map([[partition, logEnd]]))).get(partition) ?? 0;
    if (start >= end) return { values, undecodable };
    const finished = ending(cancelled, kafka);
    const reader = startPartitionReader({
      topic: topic.name,
      log,
      logger: kafka.logger,
      from: new Map([[partition, start]]),
      maxBytesPerPartition: 8 * 1024 * 1024,
      async deliver(deliveries) {
        for (const { records, position } of deliveries) {
          for (const { key, value } of records) {
            if (key === null) continue;
            const decoded = value === null ? null : await decode(codec, value);
            if (decoded === undefined) undecodable += 1;
            else if (decoded === null) values.delete(key.toString());
            else values.set(key.toString(), decoded);
          }
          if (position >= end) finished.resolve();
        }
      },
    });
    try {
      await finished.promise;
    } finally {
      await reader.stop();
    }
    return { values, undecodable };
  } finally {
    await log.close().catch(() => undefined);
  }
}

interface Ending {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** Resolved by a call of `resolve`, or rejected by the signal. */
function ending(cancelled: AbortSignal, kafka: KafkaAccess): Ending {
  let resolve!: () => void;
  const promise = new Promise<void>((fulfil, reject) => {
    const refuse = (): void => reject(kafkaUnreachable(kafka));
    resolve = fulfil;
    if (cancelled.aborted) refuse();
    else cancelled.addEventListener('abort', refuse, { once: true });
  });
  return { promise, resolve };
}

/** Undefined if the bytes are poison. Rejects if the registry is down; the delivery is then retried. */
async function decode<Value>(codec: Codec<Value>, bytes: Buffer): Promise<Value | undefined> {
  try {
    return await codec.decode(bytes);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE') return undefined;
    throw error;
  }
}
