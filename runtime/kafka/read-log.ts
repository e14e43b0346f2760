import { reasonOf, TelltaleError } from '../errors.js';
import type { KafkaAccess } from './kafka-access.js';
import { logEnd, logStart, openLog } from './log-access.js';
import { startPartitionReader } from './partition-reader.js';
import type { LogRecord } from './record-batches.js';

export interface ReadLogOptions {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /** Takes the committed records of one partition, in the order of the log. Where it rejects, the reading ends with that. */
  readonly take: (partition: number, records: readonly LogRecord[]) => Promise<void> | void;
  /** After so long without anything read, Kafka counts as unreachable. */
  readonly patienceMs?: number;
}

/**
 * Reads a topic from where its log begins up to where it ended when asked, without a consumer group. Rejects with
 * TOPIC_MISSING, or with KAFKA_UNREACHABLE where nothing comes any more.
 */
export async function readLog({ topic, kafka, take, patienceMs = 60_000 }: ReadLogOptions): Promise<void> {
  const log = openLog(topic, kafka);
  try {
    await log.refresh().catch((cause: unknown) => {
      throw cause instanceof TelltaleError ? cause : unreachable(kafka, cause);
    });
    const at = (time: number) => log.offsets(new Map(log.partitions.map((partition) => [partition, time])));
    const [starts, ends] = [await at(logStart), await at(logEnd)];
    const left = new Map([...ends].filter(([partition, end]) => end > (starts.get(partition) ?? 0)));
    if (left.size === 0) return;
    const from = new Map([...left.keys()].map((partition) => [partition, starts.get(partition) ?? 0]));
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => finish(() => reject(unreachable(kafka)));
      let timer = setTimeout(giveUp, patienceMs);
      let finished = false;
      const reader = startPartitionReader({
        topic,
        log,
        logger: kafka.logger,
        from,
        async deliver(deliveries) {
          for (const { partition, records, position } of deliveries) {
            const end = left.get(partition);
            if (finished || end === undefined) continue;
            clearTimeout(timer);
            try {
              await take(
                partition,
                records.filter(({ offset }) => offset < end),
              );
            } catch (error) {
              finish(() => reject(error instanceof Error ? error : new Error(reasonOf(error))));
              return;
            }
            timer = setTimeout(giveUp, patienceMs);
            if (position >= end) left.delete(partition);
          }
          if (left.size === 0) finish(resolve);
        },
      });
      const finish = (settle: () => void): void => {
        if (finished) return;
        finished = true;
        clearTimeout(timer);
        // Not awaited here: the reader ends only after the delivery that this may be called from.
        void reader.stop().then(settle);
      };
    });
  } finally {
    await log.close().catch(() => undefined);
  }
}

const unreachable = ({ brokers }: KafkaAccess, cause?: unknown): TelltaleError =>
  new TelltaleError('KAFKA_UNREACHABLE', { brokers: brokers.join(', ') }, { cause });
