import { createBatchPool } from '../../runtime/pool/batch-pool.js';
import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { SlowOperationItem } from '../../schemas/slow-operations.js';
import { charactersOf } from './parse/logged-operation.js';
import { withheldOperation, type ScrubJob } from './scrub-operation.js';

/** Scrubs entries on other threads than the agent's own. One item for each job, in their order. */
export interface Scrubber {
  scrub(jobs: readonly ScrubJob[]): Promise<readonly SlowOperationItem[]>;
  stop(): Promise<void>;
}

export interface ScrubberOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds after which a text counts as hostile. */
  readonly limitMs?: number;
  readonly worker?: URL;
}

/**
 * A text that hangs or kills its worker affects only its own entry. The entry is sent without its texts, and
 * says so.
 */
export function createScrubber({ logger, metrics, limitMs = 5_000, worker }: ScrubberOptions): Scrubber {
  const pool = createBatchPool<ScrubJob, SlowOperationItem>({
    name: 'scrub',
    worker: worker ?? new URL('./scrub-worker.js', import.meta.url),
    handler: 'scrub',
    threads: 1,
    heapMegabytes: 256,
    batch: { jobs: 100, weight: 4 * 1024 * 1024 },
    queue: 1_000_000,
    weightOf: ({ operation }) => charactersOf(operation),
    limitMsOf: () => limitMs,
    metrics,
    logger,
  });
  return {
    async scrub(jobs) {
      if (jobs.length === 0) return [];
      const outcomes = await pool.run(jobs);
      return jobs.map((job, index) => {
        const outcome = outcomes[index];
        if (outcome?.ok === true) return outcome.answer;
        // A fixed reason: the pool's own quotes no text, but the message of a rule that threw might.
        return withheldOperation(job, 'The texts could not be scrubbed, and stay on their host.');
      });
    },
    stop: () => pool.stop(),
  };
}
