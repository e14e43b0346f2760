import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import { createBatchPool, type BatchPool } from '../../runtime/pool/batch-pool.js';
import { Problem } from '../../runtime/http/problem.js';
import { inSlices } from '../../runtime/slice.js';
import type { AgentDataset, BatchContext } from './dataset.js';
import { readBatch, type ReadBatch } from './read-batch.js';
import type { ReadingJob, ReadingAnswer } from './reading-worker.js';

/** Reads batches of agents: short ones on the calling thread, longer ones on a thread of their own (ADR 10). */
export interface BatchReader {
  read(body: Buffer, dataset: AgentDataset, context: BatchContext): Promise<ReadBatch>;
  stop(): Promise<void>;
}

export interface BatchReaderOptions {
  /** Ids of the topics' own schemas, by topic. */
  readonly schemaIds: Readonly<Record<string, number>>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Bytes. Parsing a body of this size blocks the event loop for 20 ms at most, whatever it contains. */
const shortBody = 64 * 1024;
const limitMs = 20_000;

export function createBatchReader({ schemaIds, logger, metrics }: BatchReaderOptions): BatchReader {
  let pool: BatchPool<ReadingJob, ReadingAnswer> | undefined;
  const started = (): BatchPool<ReadingJob, ReadingAnswer> =>
    (pool ??= createBatchPool<ReadingJob, ReadingAnswer>({
      name: 'batches',
      worker: new URL('./reading-worker.js', import.meta.url),
      handler: 'read',
      settings: schemaIds,
      threads: 1,
      heapMegabytes: 384,
      batch: { jobs: 1, weight: 0 },
      queue: 10_000,
      weightOf: () => 1,
      groupOf: ({ context }) => context.workspace,
      limitMsOf: () => limitMs,
      metrics,
      logger,
    }));
  return {
    async read(body, dataset, context) {
      if (body.length <= shortBody) return readBatch(body, dataset, context);
      const [outcome] = await started().run([{ body, dataset: dataset.name, context }]);
      if (outcome?.ok !== true)
        throw new Problem(
          'body-too-large',
          'The batch takes too much time or memory to read. Send fewer items at once.',
        );
      return unpacked(outcome.answer);
    },
    stop: async () => pool?.stop(),
  };
}

async function unpacked(answer: ReadingAnswer): Promise<ReadBatch> {
  if ('tooLarge' in answer) throw new Problem('body-too-large', answer.tooLarge);
  if ('failed' in answer) throw new Error(`a batch could not be read: ${answer.failed}`);
  const { topic, keys, values, ends, ...said } = answer;
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.length);
  const records = await inSlices(keys, (key, index) => ({
    topic,
    key,
    value: bytes.subarray(ends[index - 1] ?? 0, ends[index]),
  }));
  return { ...said, records };
}
