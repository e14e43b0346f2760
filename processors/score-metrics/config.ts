import { z } from 'zod';
import { positiveInteger } from '../../runtime/config.js';

export const scoringConfig = z.object({
  SCORING_THREADS: positiveInteger(2).describe('Worker threads that score tasks.'),
  SCORING_REALTIME_THREADS: positiveInteger(1).describe(
    'Worker threads that score real-time calls; tasks never get them.',
  ),
  SCORING_WORKSPACE_AT_ONCE: positiveInteger(16).describe(
    'Tasks of one workspace that a process scores ahead of the overflow, where more of them wait their turn among the workspaces.',
  ),
  SCORING_BATCH_TEXTS: positiveInteger(100).describe('Requests that go to a worker at once, at most.'),
  SCORING_BATCH_CHARACTERS: positiveInteger(50_000).describe(
    'Characters that go to a worker at once, at most; a longer request goes alone.',
  ),
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
