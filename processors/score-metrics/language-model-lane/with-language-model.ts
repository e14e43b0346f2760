import type { LanguageModelConfig } from '../../../runtime/language-model/config.js';
import { createLanguageModel } from '../../../runtime/language-model/create-language-model.js';
import type { Logger } from '../../../runtime/logging.js';
import type { Metrics } from '../../../runtime/metrics.js';
import type { Processor } from '../../../runtime/processor.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import { scoringLanes } from '../lanes.js';
import type { Embed } from '../metrics/language-model/ask.js';
import { workspaceKey } from '../overflow/to-overflow.js';
import { jobOf } from '../score-step.js';
import type { LanguageModelScoringConfig } from './config.js';
import { findWithLanguageModel } from './find-with-language-model.js';
import { createFindingsInFlight } from './findings-in-flight.js';
import { stepOfCalls, stepOfTasks, type LaneStepOptions, type ScoreWith } from './lane-steps.js';
import { toLanguageModel } from './to-language-model.js';

export interface WithLanguageModelOptions {
  readonly lane: 'task' | 'realtime';
  readonly config: LanguageModelConfig & LanguageModelScoringConfig;
  /** Rejects with Unavailable if there is no embedding model. */
  readonly embed: Embed;
  /** The lane's processor without a language model. */
  readonly processor: Processor<ScoringRequest>;
  /** The same, with the findings of a language model. */
  readonly score: ScoreWith;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface LaneWithLanguageModel {
  /** The lane's own processor. If a language model is configured, it passes on the requests that need it. */
  readonly ordinary: Processor<ScoringRequest>;
  /** Runs in any case: there may be records from before the configuration changed. */
  readonly languageModel: Processor<ScoringRequest>;
  /** Ends the questions in progress, so that steps return their records. Call it before the loops stop. */
  stop(): void;
}

/** Requests of one partition that are processed together. */
const callsPerRun = 8;

/** So few bytes of each partition are fetched at a time that a workspace waits only briefly for another. */
const taskFetchBytes = 16 * 1024;

/** Splits a processor into two: the ordinary lane, and the lane of the language model. */
export function withLanguageModel(options: WithLanguageModelOptions): LaneWithLanguageModel {
  const { lane, config, processor: ordinary, score, logger, metrics } = options;
  const beside = { ...ordinary, ...scoringLanes[lane].languageModel };
  const model = createLanguageModel(config, { logger, metrics, lane });
  if (model === undefined) return { ordinary, languageModel: beside, stop: () => undefined };

  const now = Date.now;
  const inFlight = createFindingsInFlight({
    find: (job, limits) =>
      findWithLanguageModel(
        job,
        {
          model,
          embed: options.embed,
          options: {
            samples: config.HALLUCINATION_SAMPLES,
            maxPassages: config.HALLUCINATION_MAX_PASSAGES,
            atOnce: config.LLM_CONCURRENCY,
          },
        },
        limits,
      ),
    // A call's deadline runs from the start: it takes no turns, and only the language model's own queue
    // limits it.
    atOnce: lane === 'task' ? config.LLM_TASKS_AT_ONCE : Infinity,
    now,
  });
  const stepOptions: LaneStepOptions = { inFlight, jobOf, score, now };
  const limits = { timeoutMs: config.LLM_TASK_TIMEOUT_MS, patienceMs: config.LLM_OUTAGE_PATIENCE_MS };
  return {
    ordinary: {
      ...ordinary,
      step: toLanguageModel(
        (requests, context) => ordinary.step(requests, context),
        beside.from,
        lane === 'task' ? workspaceKey : ({ id }) => id,
      ),
    },
    languageModel:
      lane === 'task'
        ? {
            ...beside,
            batchSize: config.LLM_TASKS_AT_ONCE,
            fetchBytes: taskFetchBytes,
            step: stepOfTasks(stepOptions, limits),
          }
        : {
            ...beside,
            batchSize: callsPerRun,
            step: stepOfCalls(stepOptions, beside.from),
          },
    stop: () => {
      inFlight.stop();
    },
  };
}
