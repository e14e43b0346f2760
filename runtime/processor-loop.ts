import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError, reasonOf } from './errors.js';
import type { Health } from './health.js';
import { watchLag } from './kafka/lag-watch.js';
import { partitionOwnership, type Ownership } from './kafka/partition-ownership.js';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import type { Processor } from './processor.js';
import { processorMetrics } from './processor-metrics.js';
import { processRun, type RunEnvironment } from './processor-run.js';
import type { CodecBook } from './registry/codec-book.js';

export interface ProcessorLoopOptions {
  readonly kafka: Kafka;
  readonly codecs: CodecBook;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The consumer group; the processor's name unless given. */
  readonly groupId?: string;
  /** Ends the process: an error that the loop does not know, or a group that stands still. */
  readonly fatal: (error: TelltaleError) => void;
}

export interface RunningProcessor {
  stop(): Promise<void>;
}

const sessionTimeoutMs = 10_000;
const heartbeatMs = 1_000;
const fetchWaitMs = 250;
const failurePauseMs = 200;

/**
 * Runs a processor: consumes, steps, and commits outputs and offsets in one transaction a run. What is committed is
 * committed once: a crash at any line leaves either the whole run or nothing of it.
 */
export async function startProcessor<In>(
  processor: Processor<In>,
  options: ProcessorLoopOptions,
): Promise<RunningProcessor> {
  const { kafka, logger, health } = options;
  const groupId = options.groupId ?? `telltale.${processor.name}`;
  const topic = processor.from.name;
  const joined = health.condition(`group of ${processor.name}`, 'joining');
  const admin = kafka.admin();
  await admin.connect();
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: fetchWaitMs,
    allowAutoTopicCreation: false,
    // An outage of any length ends by itself: the loop never gives up, it only waits.
    retry: {
      initialRetryTime: 50,
      maxRetryTime: 2_000,
      retries: 20,
      restartOnFailure: () => Promise.resolve(true),
    },
  });
  const ownership = partitionOwnership({
    kafka,
    admin,
    groupId,
    topic,
    seek: (partition, offset) => consumer.seek({ topic, partition, offset: String(offset) }),
  });
  const watch = watchLag({ admin, groupId, topic, logger, metrics: options.metrics, fatal: options.fatal });

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    ownership.reset();
    const partitions = payload.memberAssignment[topic] ?? [];
    watch.assigned(partitions);
    logger.info({ processor: processor.name, partitions }, 'partitions assigned');
    void takeAll(ownership, partitions).then(() => joined.met());
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    joined.unmet('Kafka is away');
    logger.warn(
      { processor: processor.name, reason: reasonOf(payload.error) },
      'the consumer fails; it starts again by itself',
    );
  });

  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    // Nothing but control or aborted records: the library reads past them by itself, and nothing is committed.
    if (payload.batchSize === 0) watch.skippedTo(payload.partition, Number(payload.lastOffset) + 1);
  });

  const environment: RunEnvironment<In> = {
    processor,
    codecs: options.codecs,
    groupId,
    logger,
    metrics: processorMetrics(options.metrics, processor.name),
    progressed: () => watch.progressed(),
  };
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: processor.from.partitions,
    eachBatch: (payload) => eachBatch(payload, environment, ownership, consumer, options.fatal),
  });

  return {
    async stop() {
      watch.stop();
      await consumer.stop();
      await ownership.close();
      await consumer.disconnect();
      await admin.disconnect();
    },
  };
}

/** Takes all partitions over at once, so that the first record of each does not wait for it. */
async function takeAll(ownership: Ownership, partitions: readonly number[]): Promise<void> {
  await Promise.allSettled(partitions.map((partition) => ownership.of(partition)));
}

async function eachBatch<In>(
  payload: EachBatchPayload,
  environment: RunEnvironment<In>,
  ownership: Ownership,
  consumer: Consumer,
  fatal: (error: TelltaleError) => void,
): Promise<void> {
  const { partition } = payload.batch;
  const taken = ownership.of(partition);
  try {
    await processBatch(payload, environment, await taken, consumer);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'STEP_FAILED') {
      fatal(error);
      throw error;
    }
    environment.logger.warn(
      { processor: environment.processor.name, partition, reason: reasonOf(error) },
      'a run failed; its partition is taken over anew',
    );
    await ownership.giveUp(partition, taken);
    // Nothing was resolved: the take-over seeks to what is committed. A rebalance shows in the heartbeat, and throws.
    await sleep(failurePauseMs);
    await payload.heartbeat();
    await ownership.of(partition).catch(() => undefined);
  }
}

async function processBatch<In>(
  payload: EachBatchPayload,
  environment: RunEnvironment<In>,
  owned: Awaited<ReturnType<Ownership['of']>>,
  consumer: Consumer,
): Promise<void> {
  const { batch } = payload;
  const { topic, partition } = batch;
  const { fetchedOffset } = batch as typeof batch & { readonly fetchedOffset: string };
  if (Number(fetchedOffset) > owned.next) {
    // Fetched from beyond what is committed (a position from before the take-over): never skip.
    consumer.seek({ topic, partition, offset: String(owned.next) });
    return;
  }
  const messages = batch.messages.filter(({ offset }) => Number(offset) >= owned.next);
  for (let from = 0; from < messages.length;) {
    if (!payload.isRunning() || payload.isStale()) return;
    const run = messages.slice(from, from + runLength(messages, from, environment.processor.batchSize));
    const last = run.at(-1);
    if (last === undefined) return;
    from += run.length;
    const isLastRun = from === messages.length;
    // Past the control records at the end of the batch, or the group would seem to lag for ever.
    const next = Number(isLastRun ? batch.lastOffset() : last.offset) + 1;
    const committed = await processRun(environment, payload, owned.producer, run, next);
    if (!committed) return;
    owned.next = next;
    environment.metrics.lag(
      environment.groupId,
      topic,
      partition,
      Math.max(0, Number(batch.highWatermark) - next),
    );
    payload.resolveOffset(last.offset);
  }
}

/** A run's outputs for one partition go into one record batch, which the topic bounds. */
const runBytes = 256 * 1024;

/** How many messages the next run takes: as many as it may, by count and by bytes, and at least one. */
function runLength(messages: readonly KafkaMessage[], from: number, most: number): number {
  let bytes = 0;
  let length = 0;
  for (const { value } of messages.slice(from, from + most)) {
    bytes += value?.length ?? 0;
    if (length > 0 && bytes > runBytes) break;
    length += 1;
  }
  return length;
}
