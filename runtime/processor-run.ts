import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError, reasonOf } from './errors.js';
import { type AssignedBatch, whileHeartbeating } from './kafka/consume/assigned-partition.js';
import type { LogRecord } from './kafka/protocol/record-batches.js';
import type { TransactionalProducer } from './kafka/transactions/transactional-producer.js';
import type { Logger } from './logging.js';
import type { Processor } from './processor.js';
import type { ProcessorMetrics } from './processor-metrics.js';
import { decodeRun, encode, runStep, turnOf, type StepResult } from './processor-step.js';
import type { CodecBook } from './registry/codec-book.js';

export interface RunEnvironment<In> {
  readonly processor: Processor<In>;
  readonly codecs: CodecBook;
  readonly groupId: string;
  readonly logger: Logger;
  readonly metrics: ProcessorMetrics;
  readonly progressed: () => void;
}

const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * Processes one run of messages of one partition, and commits its outcome with the next offset to process,
 * which it returns: `next`, or the offset of the first message that has to be read again. Undefined if it
 * stopped before anything was committed, because the process is stopping or the partition was taken away.
 * Rejects if the outcome of the transaction is unknown.
 */
export async function processRun<In>(
  environment: RunEnvironment<In>,
  batch: AssignedBatch,
  producer: TransactionalProducer,
  messages: readonly LogRecord[],
  next: number,
): Promise<number | undefined> {
  const { metrics, groupId, processor } = environment;
  const { topic, partition } = batch;
  return await whileHeartbeating(batch, async (signal) => {
    const result = await stepUntilAvailable(environment, batch, producer, messages, signal);
    if (result === undefined || signal.aborted || batch.isStale()) return undefined;
    const left = messages[result.messages];
    const reached = left === undefined ? next : left.offset;
    const endOfCommit = metrics.commitTimer();
    try {
      await producer.commit(result.records, { groupId, topic, partition, next: reached });
    } catch (error) {
      metrics.transaction('failed');
      throw error;
    }
    endOfCommit();
    metrics.transaction('committed');
    metrics.count(result.counts);
    const now = Date.now();
    for (const { timestamp } of messages.slice(0, result.messages))
      metrics.latency(Math.max(0, now - timestamp) / 1_000);
    environment.progressed();
    environment.logger.trace(
      {
        event: 'processor-run-committed',
        processor: processor.name,
        partition,
        next: reached,
        messages: result.messages,
      },
      'committed',
    );
    return reached;
  });
}

/** Retries the step until every dependency is available: it waits out an outage and skips nothing. */
async function stepUntilAvailable<In>(
  environment: RunEnvironment<In>,
  batch: AssignedBatch,
  producer: TransactionalProducer,
  messages: readonly LogRecord[],
  signal: AbortSignal,
): Promise<Extract<StepResult, { kind: 'done' }> | undefined> {
  const { processor, metrics, logger } = environment;
  const { partition } = batch;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (signal.aborted || !batch.isRunning() || batch.isStale()) return undefined;
    let cause: unknown;
    try {
      const decoded = turnOf(processor, await decodeRun(environment, partition, messages));
      const announcing = announce(environment, producer, decoded);
      const endOfStep = metrics.stepTimer();
      const result = await runStep(environment, messages.slice(0, decoded.length), decoded, partition, {
        signal,
        assignment: producer,
      }).finally(announcing.end);
      endOfStep();
      await announcing.done();
      if (result.kind === 'done') return result;
      cause = result.cause;
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'REGISTRY_UNREACHABLE') throw error;
      cause = error;
    }
    metrics.retry();
    environment.progressed();
    logger.warn(
      { event: 'dependency-away', processor: processor.name, partition, pauseMs, reason: reasonOf(cause) },
      'a dependency is unavailable: waiting',
    );
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

type Decoded<In> = Awaited<ReturnType<typeof decodeRun<In>>>;

/**
 * Announces slow records in a transaction of their own under the same transactional id: a fenced predecessor can't
 * announce anything. The outcome is only sent once this is committed.
 */
function announce<In>(
  environment: RunEnvironment<In>,
  producer: TransactionalProducer,
  decoded: Decoded<In>,
) {
  const { announce: announcement } = environment.processor;
  let announced: Promise<void> | undefined;
  const timer =
    announcement === undefined
      ? undefined
      : setTimeout(() => {
          const records = decoded.flatMap((entry) => (entry.ok ? announcement.records(entry.record) : []));
          if (records.length === 0) return;
          announced = (async () =>
            producer.commit(records.map((record) => encode(environment.codecs, record))))();
          // Awaited in done(): until then a failure must not count as an unhandled rejection.
          announced.catch(() => undefined);
        }, announcement.afterMs);
  return {
    end: () => clearTimeout(timer),
    done: () => announced ?? Promise.resolve(),
  };
}
