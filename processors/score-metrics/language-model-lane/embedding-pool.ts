import type { EmbeddingConfig } from '../../../runtime/embedding/config.js';
import { reasonOf } from '../../../runtime/errors.js';
import type { Logger } from '../../../runtime/logging.js';
import type { Metrics } from '../../../runtime/metrics.js';
import { createBatchPool } from '../../../runtime/pool/batch-pool.js';
import type { ScoringConfig } from '../config.js';
import { Unavailable, type Embed } from '../metrics/language-model/ask.js';
import type { Passages, PassageVectors } from './embedding-worker.js';

export interface EmbeddingPoolOptions {
  readonly embedding: EmbeddingConfig;
  readonly config: ScoringConfig;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface EmbeddingPool {
  /** Rejects with Unavailable if there are no vectors. */
  readonly embed: Embed;
  stop(): Promise<void>;
}

const charactersOf = (passages: Passages): number => passages.reduce((sum, { length }) => sum + length, 0);
/** Each passage is one run of the model, whatever its length. */
const msOfPassage = 50;

/**
 * A thread that embeds the passages of hallucination checks. A check has hundreds, which take seconds. They
 * must not delay the main thread, whose consumers send heartbeats, nor the threads that score.
 */
export function createEmbeddingPool({
  embedding,
  config,
  metrics,
  logger,
}: EmbeddingPoolOptions): EmbeddingPool {
  const pool = createBatchPool<Passages, PassageVectors>({
    name: 'embedding-language-model',
    worker: new URL('./embedding-worker.js', import.meta.url),
    handler: 'embedBatch',
    settings: embedding,
    threads: 1,
    heapMegabytes: config.SCORING_WORKER_HEAP_MB,
    batch: { jobs: 1, weight: Infinity },
    queue: config.SCORING_QUEUE,
    weightOf: charactersOf,
    limitMsOf: (passages) =>
      config.SCORING_TEXT_TIMEOUT_MS +
      passages.length * msOfPassage +
      Math.ceil((charactersOf(passages) * config.SCORING_TEXT_TIMEOUT_MS_PER_1000) / 1_000),
    metrics,
    logger,
  });
  return {
    async embed(texts) {
      const [outcome] = await pool.run([texts]).catch((error: unknown) => {
        throw new Unavailable(`The embedding model cannot be called: ${reasonOf(error)}`, { cause: error });
      });
      if (outcome === undefined) throw new Unavailable('The embedding model gave no answer.');
      if (!outcome.ok) throw new Unavailable(outcome.reason);
      if ('reason' in outcome.answer) throw new Unavailable(outcome.answer.reason);
      return outcome.answer.vectors;
    },
    stop: () => pool.stop(),
  };
}
