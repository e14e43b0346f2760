import { z } from 'zod';
import { positiveInteger } from '../../runtime/config.js';

export const scoringConfig = z.object({
  SCORING_THREADS: positiveInteger(2).describe('Worker threads that score tasks.'),
  SCORING_BACKGROUND_THREADS: positiveInteger(1).describe(
    'Worker threads that score what takes over 50 ms, and what a workspace hands in beyond its share. On Linux they give way to the other threads of the process; leave a core or more to Kafka and the edge.',
  ),
  SCORING_LONG_TEXT_THREADS: positiveInteger(1).describe(
    'Worker threads that score texts of over 10,000 characters, which take seconds; on Linux they give way as well.',
  ),
  SCORING_REALTIME_THREADS: positiveInteger(1).describe(
    'Worker threads that score real-time calls; tasks never get them.',
  ),
  SCORING_REPLAY_THREADS: positiveInteger(2).describe(
    'Worker threads that score for `telltale replay scoring`; they are there while a replay is, and on Linux they give way.',
  ),
  SCORING_BATCH_TEXTS: positiveInteger(100).describe('Requests that go to a worker at once, at most.'),
  SCORING_QUEUE: positiveInteger(10_000).describe('Requests that may wait for a worker, per lane.'),
  SCORING_TEXT_TIMEOUT_MS: positiveInteger(5_000).describe(
    'Milliseconds after which a request counts as hanging and fails, plus those for its length.',
  ),
  SCORING_TEXT_TIMEOUT_MS_PER_1000: positiveInteger(500).describe(
    'Milliseconds more for each 1,000 characters: embedding a text takes up to 200.',
  ),
  SCORING_WORKER_HEAP_MB: positiveInteger(256).describe(
    'Heap of a worker thread; a request that needs more fails.',
  ),
});

export type ScoringConfig = z.output<typeof scoringConfig>;
