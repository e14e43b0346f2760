import { z } from 'zod';
import { positiveInteger } from '../../runtime/config.js';

export const scoringConfig = z.object({
  SCORING_THREADS: positiveInteger(2).describe('Worker threads that score tasks.'),
  SCORING_BACKGROUND_THREADS: positiveInteger(1).describe(
    "Worker threads for requests that take over 50 ms and for requests beyond a workspace's share. On Linux they have a lower priority than the process's other threads; leave at least one core to Kafka and the edge.",
  ),
  SCORING_LONG_TEXT_THREADS: positiveInteger(1).describe(
    'Worker threads for texts of over 10,000 characters, which take seconds; on Linux they have a lower priority too.',
  ),
  SCORING_REALTIME_THREADS: positiveInteger(1).describe(
    'Worker threads that score real-time calls; tasks never get them.',
  ),
  SCORING_REPLAY_THREADS: positiveInteger(2).describe(
    'Worker threads for `telltale replay scoring`; they exist only while a replay runs, and on Linux have a lower priority.',
  ),
  SCORING_BATCH_TEXTS: positiveInteger(100).describe(
    'Maximum number of requests sent to a worker at a time.',
  ),
  SCORING_QUEUE: positiveInteger(10_000).describe('Requests that may wait for a worker, per lane.'),
  SCORING_TEXT_TIMEOUT_MS: positiveInteger(5_000).describe(
    'Milliseconds after which a request counts as hanging and fails, plus an allowance for its length.',
  ),
  SCORING_TEXT_TIMEOUT_MS_PER_1000: positiveInteger(500).describe(
    'Additional milliseconds per 1,000 characters; embedding them takes up to 200.',
  ),
  SCORING_WORKER_HEAP_MB: positiveInteger(256).describe(
    'Heap of a worker thread; a request that needs more fails.',
  ),
});

export type ScoringConfig = z.output<typeof scoringConfig>;
