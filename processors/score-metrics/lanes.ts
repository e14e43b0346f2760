import type { ProcessorDeclaration } from '../../runtime/processor.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import {
  scoringReplies,
  scoringRequests,
  scoringRequestsLanguageModel,
  scoringRequestsLanguageModelRealtime,
  scoringRequestsOverflow,
  scoringRequestsRealtime,
  scoringRequestsRealtimeOverflow,
  scoringResults,
  taskStatus,
} from '../../topics/scoring.js';

/** The processors of a lane. */
interface ScoringLane {
  /** Takes every request, scores the short ones, and passes on the others. */
  readonly ordinary: ProcessorDeclaration<ScoringRequest>;
  readonly overflow: ProcessorDeclaration<ScoringRequest>;
  /** Without a language model it works like the ordinary processor, and so writes to the overflow. */
  readonly languageModel: ProcessorDeclaration<ScoringRequest>;
}

export const scoringLanes: Readonly<Record<'task' | 'realtime', ScoringLane>> = {
  task: {
    ordinary: {
      name: 'score-metrics',
      from: scoringRequests,
      to: [scoringResults, taskStatus, scoringRequestsOverflow, scoringRequestsLanguageModel],
    },
    overflow: {
      name: 'score-metrics-overflow',
      from: scoringRequestsOverflow,
      to: [scoringResults, taskStatus],
    },
    languageModel: {
      name: 'score-metrics-language-model',
      from: scoringRequestsLanguageModel,
      to: [scoringResults, taskStatus, scoringRequestsOverflow],
    },
  },
  realtime: {
    ordinary: {
      name: 'score-metrics-realtime',
      from: scoringRequestsRealtime,
      to: [
        scoringResults,
        scoringReplies,
        scoringRequestsRealtimeOverflow,
        scoringRequestsLanguageModelRealtime,
      ],
    },
    overflow: {
      name: 'score-metrics-realtime-overflow',
      from: scoringRequestsRealtimeOverflow,
      to: [scoringResults, scoringReplies],
    },
    languageModel: {
      name: 'score-metrics-realtime-language-model',
      from: scoringRequestsLanguageModelRealtime,
      to: [
        scoringResults,
        scoringReplies,
        scoringRequestsRealtimeOverflow,
        scoringRequestsLanguageModelRealtime,
      ],
    },
  },
};
