import { processorGroup } from './group-ids.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadLettersOf } from '../topics/dead-letters.js';
import { reasonOf, type TelltaleError } from './errors.js';
import type { Condition, Health } from './health.js';
import type { KafkaAccess } from './kafka/client/kafka-access.js';
import type { AssignedBatch } from './kafka/consume/assigned-partition.js';
import { bugIn } from './kafka/protocol/kafka-error.js';
import { openGroupConsumer, type GroupConsumer } from './kafka/consume/group-consumer.js';
import type { LogRecord } from './kafka/protocol/record-batches.js';
import { partitionOwnership, type Ownership } from './kafka/transactions/partition-ownership.js';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import type { Processor } from './processor.js';
import { processorMetrics } from './processor-metrics.js';
import { processRun, type RunEnvironment } from './processor-run.js';
import type { CodecBook } from './registry/codec-book.js';

export interface ProcessorLoopOptions {
  readonly kafka: KafkaAccess;
  readonly codecs: CodecBook;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The consumer group; the processor's name unless given. */
  readonly groupId?: string;
  /** The group assigns the partitions of a member that has been silent for this long to others. */
  readonly sessionTimeoutMs: number;
  /** Ends the process: after an unknown error, or if the group makes no progress. */
  readonly fatal: (error: TelltaleError) => void;
}

export interface RunningProcessor {
  stop(): Promise<void>;
}

/** A fetch returns once there is a record. An empty one delays a stop or a heartbeat by up to this long. */
const fetchWaitMs = 500;
const failurePauseMs = 200;

/**
 * Runs a processor: consumes, steps, and commits the outputs and offsets of each run in one transaction. A crash at any
 * line leaves either the whole run or nothing of it.
 */
export async function startProcessor<In>(
  processor: Processor<In>,
  options: ProcessorLoopOptions,
): Promise<RunningProcessor> {
  const { kafka, logger, health, metrics } = options;
  const groupId = options.groupId ?? processorGroup(processor);
  const topic = processor.from.name;
  const joined = health.condition(`group of ${processor.name}`, 'joining');
  const group = await openGroupConsumer({
    kafka,
    groupId,
    topic,
    partitions: processor.from.partitions,
    fetch: {
      maxWaitTimeInMs: fetchWaitMs,
      ...(processor.fetchBytes !== undefined && { maxBytesPerPartition: processor.fetchBytes }),
    },
    sessionTimeoutMs: options.sessionTimeoutMs,
    metrics,
    fatal: options.fatal,
    onAssigned(partitions) {
      const assignment = ownership.reset();
      void acquireAll(ownership, partitions, assignment, joined);
    },
    onSkipped: (partition, first, last) => ownership.passOver(partition, first, last),
    onCrash: () => joined.unmet('Kafka is unavailable'),
  });
  const ownership = partitionOwnership({
    kafka,
    position: group.position,
    groupId,
    topic,
    writes: [...processor.to.map(({ name }) => name), deadLettersOf(processor.from)],
    metrics,
    seek: (partition, offset) => group.seek(partition, offset),
  });
  const environment: RunEnvironment<In> = {
    processor,
    codecs: options.codecs,
    groupId,
    logger,
    metrics: processorMetrics(metrics, processor.name),
    progressed: () => group.watch.progressed(),
  };
  await group.run((batch) => eachBatch(batch, environment, ownership, group, options.fatal));
  return { stop: () => group.stop(() => ownership.close()) };
}

/**
 * Acquires all partitions at once, so that the first record of each does not wait for it. The processor is
 * ready only once all are acquired: another member might still hold one, or Kafka might be down.
 */
async function acquireAll(
  ownership: Ownership,
  partitions: readonly number[],
  assignment: AbortSignal,
  joined: Condition,
): Promise<void> {
  const isCurrent = (): boolean => !assignment.aborted;
  let waiting = partitions;
  while (isCurrent()) {
    const acquired = await Promise.allSettled(waiting.map((partition) => ownership.of(partition)));
    waiting = waiting.filter((_, index) => acquired[index]?.status === 'rejected');
    if (waiting.length === 0) {
      if (isCurrent()) joined.met();
      return;
    }
    joined.unmet(`partitions ${waiting.join(', ')} could not be acquired yet`);
    await sleep(failurePauseMs);
  }
}

async function eachBatch<In>(
  batch: AssignedBatch,
  environment: RunEnvironment<In>,
  ownership: Ownership,
  group: GroupConsumer,
  fatal: (error: TelltaleError) => void,
): Promise<void> {
  const { partition } = batch;
  const acquired = ownership.of(partition);
  try {
    await processBatch(batch, environment, await acquired, group);
  } catch (error) {
    const bug = bugIn(environment.processor.name, error);
    if (bug !== undefined) {
      fatal(bug);
      throw bug;
    }
    environment.logger.warn(
      {
        event: 'processor-run-failed',
        processor: environment.processor.name,
        partition,
        reason: reasonOf(error),
      },
      'a run failed; acquiring its partition again',
    );
    await ownership.release(partition, acquired);
    // Nothing was resolved: the acquisition seeks to the committed offset. On a rebalance, the heartbeat
    // throws.
    await sleep(failurePauseMs);
    await batch.heartbeat();
    // If it can't be acquired now, the next batch tries again.
    await ownership.of(partition).catch(() => undefined);
  }
}

async function processBatch<In>(
  batch: AssignedBatch,
  environment: RunEnvironment<In>,
  owned: Awaited<ReturnType<Ownership['of']>>,
  group: GroupConsumer,
): Promise<void> {
  const { topic, partition } = batch;
  if (batch.fetchedFrom > owned.next) {
    // The batch starts beyond the committed offset (its position predates the acquisition): never skip.
    group.seek(partition, owned.next);
    return;
  }
  const messages = batch.records.filter(({ offset }) => offset >= owned.next);
  for (let from = 0; from < messages.length;) {
    if (!batch.isRunning() || batch.isStale()) return;
    const run = messages.slice(from, from + runLength(messages, from, environment.processor.batchSize));
    const last = run.at(-1);
    if (last === undefined) return;
    from += run.length;
    const isLastRun = from === messages.length;
    // Includes the control records at the end of the batch; otherwise the group would seem to lag for ever.
    const next = isLastRun ? batch.end : last.offset + 1;
    const reached = await processRun(environment, batch, owned.producer, run, next);
    if (reached === undefined) return;
    owned.next = reached;
    environment.metrics.lag(environment.groupId, topic, partition, Math.max(0, batch.logEnd - reached));
    if (reached <= last.offset) {
      batch.resolve(reached - 1);
      return;
    }
    batch.resolve(last.offset);
  }
}

/** The outputs of a run for one partition are one record batch, whose size the topic limits. */
const runBytes = 256 * 1024;

/** How many messages the next run takes: as many as the limits of count and bytes allow, and at least one. */
function runLength(messages: readonly LogRecord[], from: number, most: number): number {
  let bytes = 0;
  let length = 0;
  for (const { value } of messages.slice(from, from + most)) {
    bytes += value?.length ?? 0;
    if (length > 0 && bytes > runBytes) break;
    length += 1;
  }
  return length;
}
