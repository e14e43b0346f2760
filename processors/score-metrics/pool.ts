import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import { createBatchPool } from '../../runtime/pool/batch-pool.js';
import type { ScoringConfig } from './config.js';
import { standardSettings, type ScoringSettings } from './metrics/settings.js';
import type { WorkerSettings } from './worker-settings.js';
import { charactersOf, type ScoringJob, type ScoringJobResult, type ScoringPool } from './scoring-job.js';

export interface ScoringPoolOptions {
  readonly lane: 'tasks' | 'realtime';
  readonly config: ScoringConfig;
  /** What the values are computed with; the standard settings unless given. */
  readonly settings?: ScoringSettings;
  /** Where vectors come from; without it, metrics that need them are null. */
  readonly embedding?: WorkerSettings['embedding'];
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Module that exports `scoreBatch`; the one beside this file unless given. */
  readonly worker?: URL;
}

/** The worker threads of one lane. */
export function createScoringPool({
  lane,
  config,
  settings = standardSettings,
  embedding,
  metrics,
  logger,
  worker,
}: ScoringPoolOptions): ScoringPool {
  const pool = createBatchPool<ScoringJob, ScoringJobResult>({
    name: `scoring-${lane}`,
    worker: worker ?? new URL('./worker.js', import.meta.url),
    handler: 'scoreBatch',
    settings: { scoring: settings, embedding } satisfies WorkerSettings,
    threads: lane === 'tasks' ? config.SCORING_THREADS : config.SCORING_REALTIME_THREADS,
    heapMegabytes: config.SCORING_WORKER_HEAP_MB,
    batch: { jobs: config.SCORING_BATCH_TEXTS, weight: config.SCORING_BATCH_CHARACTERS },
    queue: config.SCORING_QUEUE,
    weightOf: charactersOf,
    groupOf: ({ workspace }) => workspace,
    limitMsOf: (job) =>
      config.SCORING_TEXT_TIMEOUT_MS +
      Math.ceil((charactersOf(job) * config.SCORING_TEXT_TIMEOUT_MS_PER_1000) / 1_000),
    metrics,
    logger,
  });
  return {
    async score(jobs, options) {
      const outcomes = await pool.run(jobs, options);
      return outcomes.map((outcome) => (outcome.ok ? outcome.answer : outcome));
    },
    stop: () => pool.stop(),
  };
}
