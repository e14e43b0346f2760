import type { ScoringReply } from '../../schemas/generated/scoring-reply.js';
import type { Topic } from '../../topics/topic.js';
import type { Codec } from '../../runtime/codec.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import type { Condition } from '../../runtime/health.js';
import type { Metrics } from '../../runtime/metrics.js';
import { pause } from '../../runtime/backoff.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { logEnd, logStart, openLog, type LogAccess } from '../../runtime/kafka/consume/log-access.js';
import {
  connectLog,
  startPartitionReader,
  type PartitionReader,
} from '../../runtime/kafka/consume/partition-reader.js';
import { lastingReaderWaitMs, type Delivery } from '../../runtime/kafka/consume/read-from-broker.js';
import { growthCheckMs, PartitionCounts, sharedRounds } from '../../runtime/kafka/consume/topic-growth.js';
import { PendingCalls } from './pending-calls.js';

export interface RepliesOptions {
  readonly topic: Topic<ScoringReply>;
  readonly codec: Codec<ScoringReply>;
  readonly kafka: KafkaAccess;
  /**
   * This process's name. It is the key of the replies to it, and so determines their partition. No other
   * process has ever had the same name.
   */
  readonly instance: string;
  /** Met once the reader is at the log's end: it sees the reply to any later request. */
  readonly condition: Condition;
  readonly metrics: Metrics;
}

export interface Replies {
  readonly instance: string;
  /** The reply, or undefined once `deadlineMs` (since 1970) has passed. Call before the request is appended. */
  expect(id: string, deadlineMs: number): Promise<ScoringReply | undefined>;
  forget(id: string): void;
  stop(): Promise<void>;
}

/**
 * Request and reply over a topic. This process reads the partition that its name maps to, from the log's end
 * at its start. If the topic grows and its name maps to another partition, it reads that one too. It skips
 * late replies, and replies to other processes.
 */
export function startReplies(options: RepliesOptions): Replies {
  const pending = new PendingCalls<ScoringReply>();
  const log = openLog(options.topic.name, options.kafka);
  const stopped = new AbortController();
  let reader: PartitionReader | undefined;
  const counts = new PartitionCounts();
  const read = new Set<number>();
  const running = follow(options, log, pending, counts, stopped.signal).then((started) => {
    for (const partition of counts.of(options.instance)) read.add(partition);
    reader = started;
  });
  const followGrowth = sharedRounds(async () => {
    if (reader === undefined) return;
    await log.recount();
    counts.know(log.partitions.length);
    const added = counts.of(options.instance).filter((partition) => !read.has(partition));
    if (added.length === 0) return;
    // From its start, because replies can have been written there before this process knew about it.
    reader.add(await log.offsets(new Map(added.map((id) => [id, logStart]))));
    for (const partition of added) read.add(partition);
  });
  const growth = setInterval(() => void followGrowth().catch(() => undefined), growthCheckMs).unref();
  return {
    instance: options.instance,
    expect: (id, deadlineMs) => pending.expect(id, deadlineMs - Date.now()),
    forget: (id) => pending.settle(id, undefined),
    async stop() {
      stopped.abort();
      clearInterval(growth);
      await running;
      await reader?.stop();
      pending.stop();
      await log.close();
    },
  };
}

async function follow(
  options: RepliesOptions,
  log: LogAccess,
  pending: PendingCalls<ScoringReply>,
  counts: PartitionCounts,
  stopped: AbortSignal,
): Promise<PartitionReader | undefined> {
  const { topic, instance, condition, kafka } = options;
  while (await connectLog(log, kafka.logger, stopped)) {
    try {
      counts.know(log.partitions.length);
      const from = await log.offsets(new Map(counts.of(instance).map((partition) => [partition, logEnd])));
      const deliver = delivererOf(options, pending);
      const reader = startPartitionReader({
        topic: topic.name,
        log,
        logger: kafka.logger,
        metrics: options.metrics,
        maxWaitMs: lastingReaderWaitMs,
        from,
        deliver,
      });
      condition.met();
      return reader;
    } catch (error) {
      kafka.logger.warn(
        { event: 'replies-not-readable', topic: topic.name, reason: reasonOf(error) },
        'replies cannot be read yet; trying again',
      );
      await pause(200, stopped);
    }
  }
  return undefined;
}

function delivererOf(
  { codec, instance, kafka, metrics, topic }: RepliesOptions,
  pending: PendingCalls<ScoringReply>,
) {
  const unclaimed = metrics.counter(
    'telltale_replies_unclaimed_total',
    'Replies to this process that no call was waiting for.',
  );
  const own = Buffer.from(instance);
  return async (deliveries: readonly Delivery[]): Promise<void> => {
    for (const { partition, records } of deliveries) {
      for (const { key, value, offset } of records) {
        if (value === null || key === null || !own.equals(key)) continue;
        try {
          const decoded = codec.decode(value);
          const reply = decoded instanceof Promise ? await decoded : decoded;
          if (!pending.settle(reply.id, reply)) unclaimed.inc();
        } catch (error) {
          if (!(error instanceof TelltaleError) || error.code !== 'RECORD_UNDECODABLE') throw error;
          kafka.logger.error(
            { event: 'reply-skipped', topic: topic.name, partition, offset, reason: error.message },
            'a reply was skipped',
          );
        }
      }
    }
  };
}
