import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import { createBatchPool } from '../../runtime/pool/batch-pool.js';
import { canEmbed } from '../../runtime/embedding/config.js';
import type { ScoringConfig } from './config.js';
import { jobCost } from './job-cost.js';
import { standardSettings, type ScoringSettings } from './metrics/settings.js';
import type { WorkerSettings } from './worker-settings.js';
import { charactersOf, type ScoringJob, type ScoringJobResult, type ScoringPool } from './scoring-job.js';

/** Which threads: those of a lane, those for requests that would delay either lane, or those of replays. */
export type ScoringThreads = 'tasks' | 'realtime' | 'background' | 'long-texts' | 'replays';

const threadsOf = {
  tasks: 'SCORING_THREADS',
  realtime: 'SCORING_REALTIME_THREADS',
  background: 'SCORING_BACKGROUND_THREADS',
  'long-texts': 'SCORING_LONG_TEXT_THREADS',
  replays: 'SCORING_REPLAY_THREADS',
} as const satisfies Readonly<Record<ScoringThreads, keyof ScoringConfig>>;

/** The jobs that go to a worker together take about this long at most; a longer job goes alone. */
const batchMs = 250;

export interface ScoringPoolOptions {
  readonly of: ScoringThreads;
  readonly config: ScoringConfig;
  /** The settings of the metrics; the standard ones if absent. */
  readonly settings?: ScoringSettings;
  /** Where vectors come from; if absent, metrics that need them are null. */
  readonly embedding?: WorkerSettings['embedding'];
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The module that exports `scoreBatch`; the one next to this file if absent. */
  readonly worker?: URL;
}

/** Worker threads that score. */
export function createScoringPool({
  of,
  config,
  settings = standardSettings,
  embedding,
  metrics,
  logger,
  worker,
}: ScoringPoolOptions): ScoringPool {
  const pool = createBatchPool<ScoringJob, ScoringJobResult>({
    name: `scoring-${of}`,
    worker: worker ?? new URL('./worker.js', import.meta.url),
    handler: 'scoreBatch',
    settings: { scoring: settings, embedding } satisfies WorkerSettings,
    threads: config[threadsOf[of]],
    background: of !== 'tasks' && of !== 'realtime',
    heapMegabytes: config.SCORING_WORKER_HEAP_MB,
    batch: { jobs: config.SCORING_BATCH_TEXTS, weight: batchMs },
    queue: config.SCORING_QUEUE,
    weightOf: jobCost(embedding !== undefined && canEmbed(embedding)),
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
