import { reasonOf, TelltaleError } from '../../errors.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { logEnd, logStart, openLog, type LogAccess } from './log-access.js';
import { startPartitionReader } from './partition-reader.js';
import type { LogRecord } from '../protocol/record-batches.js';

export interface ReadLogOptions {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /**
   * Takes the committed records of one partition: in the order of their offsets where `ranges` are given, otherwise in
   * the order in which their transactions were committed. Where it rejects, the reading ends with that error.
   */
  readonly take: (partition: number, records: readonly LogRecord[]) => Promise<void> | void;
  /** Only these partitions, from an offset up to another one, which is not included. */
  readonly ranges?: ReadonlyMap<number, LogRange>;
  readonly maxBytesPerPartition?: number;
  /** Where nothing has been read for this long, Kafka counts as unreachable. */
  readonly timeoutMs?: number;
}

interface LogRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a topic from the beginning of its log up to its end when asked, without a consumer group. Rejects with
 * TOPIC_MISSING, or with KAFKA_UNREACHABLE where no more records come.
 */
export async function readLog({
  topic,
  kafka,
  take,
  ranges,
  maxBytesPerPartition = 1024 * 1024,
  timeoutMs = 60_000,
}: ReadLogOptions): Promise<void> {
  const log = openLog(topic, kafka);
  try {
    await log.refresh().catch((cause: unknown) => {
      throw cause instanceof TelltaleError ? cause : unreachable(kafka, cause);
    });
    const wanted = ranges ?? (await wholeLog(log));
    const left = new Map([...wanted].flatMap(([id, { from, to }]) => (to > from ? [[id, to]] : [])));
    if (left.size === 0) return;
    const from = new Map([...left.keys()].map((partition) => [partition, wanted.get(partition)?.from ?? 0]));
    await new Promise<void>((resolve, reject) => {
      const timeOut = (): void => finish(() => reject(unreachable(kafka)));
      let timer = setTimeout(timeOut, timeoutMs);
      let finished = false;
      const held = new Map<number, readonly LogRecord[]>();
      /** In order: the records before which no open transaction can add one; the rest is held back. */
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
        // Not awaited here: the reader ends only after the delivery that may call this.
        void reader.stop().then(settle);
      };
    });
  } finally {
    await log.close().catch(() => undefined);
  }
}

/** The beginning of each partition, and its present end. */
export async function wholeLog(log: LogAccess): Promise<ReadonlyMap<number, LogRange>> {
  const at = (time: number) => log.offsets(new Map(log.partitions.map((partition) => [partition, time])));
  const [starts, ends] = [await at(logStart), await at(logEnd)];
  return new Map([...ends].map(([partition, to]) => [partition, { from: starts.get(partition) ?? 0, to }]));
}

const unreachable = ({ brokers }: KafkaAccess, cause?: unknown): TelltaleError =>
  new TelltaleError('KAFKA_UNREACHABLE', { brokers: brokers.join(', ') }, { cause });
