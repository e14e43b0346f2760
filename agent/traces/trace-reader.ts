import { Problem } from '../../runtime/http/problem.js';
import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import { createBatchPool, type BatchPool } from '../../runtime/pool/batch-pool.js';
import { readFrames, type ReadFrames } from './read-frames.js';
import type { ReadingAnswer, ReadingJob } from './reading-worker.js';

/** Reads requests: short ones on the calling thread, longer ones on a thread of their own (ADR 10). */
export interface TraceReader {
  /** Throws a Problem if the body can't be used. */
  read(body: Buffer, application: string | undefined): Promise<ReadFrames>;
  stop(): Promise<void>;
}

/** A body up to this size, whatever its content, blocks the event loop for some 20 ms at most. */
const shortBody = 64 * 1024;
const limitMs = 20_000;

export function createTraceReader(of: { readonly logger: Logger; readonly metrics: Metrics }): TraceReader {
  let pool: BatchPool<ReadingJob, ReadingAnswer> | undefined;
  const started = (): BatchPool<ReadingJob, ReadingAnswer> =>
    (pool ??= createBatchPool<ReadingJob, ReadingAnswer>({
      name: 'traces',
      worker: new URL('./reading-worker.js', import.meta.url),
      handler: 'read',
      threads: 1,
      heapMegabytes: 384,
      batch: { jobs: 1, weight: 0 },
      queue: 10_000,
      weightOf: () => 1,
      limitMsOf: () => limitMs,
      ...of,
    }));
  return {
    async read(body, application) {
      if (body.length <= shortBody) return readFrames(body, application);
      const [outcome] = await started().run([{ body, application }]);
      if (outcome?.ok !== true)
        throw new Problem(
          'body-too-large',
          'The body takes too much time or memory to read. Send fewer spans at once.',
        );
      const { answer } = outcome;
      if ('unreadable' in answer) throw new Problem('malformed-body', answer.unreadable);
      const { buffer, byteOffset, length } = answer.bytes;
      return { ...answer, bytes: Buffer.from(buffer, byteOffset, length) };
    },
    stop: async () => pool?.stop(),
  };
}
