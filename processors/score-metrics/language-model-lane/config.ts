import { z } from 'zod';
import { positiveInteger } from '../../../runtime/config.js';

/** How the metrics use the language model; runtime/language-model configures how it is reached. */
export const languageModelScoringConfig = z.object({
  HALLUCINATION_SAMPLES: positiveInteger(3).describe(
    'How many other responses to the prompt a response is compared with.',
  ),
  HALLUCINATION_MAX_PASSAGES: positiveInteger(20).describe(
    'A response with more sentences is split into this many passages of several sentences: a request costs at most (1 + passages) × samples calls.',
  ),
  LLM_TASKS_AT_ONCE: positiveInteger(4).describe(
    'Tasks whose calls run at the same time, per process; the calls share LLM_CONCURRENCY.',
  ),
  LLM_TASK_TIMEOUT_MS: positiveInteger(120_000).describe(
    'The deadline of all calls for one task, counted from when its turn comes. A real-time call has its own.',
  ),
  LLM_OUTAGE_PATIENCE_MS: positiveInteger(30_000).describe(
    'How long tasks wait while the language model is unavailable; after that, results that need it are null, with the reason.',
  ),
});

export type LanguageModelScoringConfig = z.output<typeof languageModelScoringConfig>;
