import type { Clock } from '../../runtime/clock.js';
import type { Processor } from '../../runtime/processor.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import {
  scoringReplies,
  scoringRequests,
  scoringRequestsOverflow,
  scoringRequestsRealtime,
  scoringRequestsRealtimeOverflow,
  scoringResults,
  taskStatus,
} from '../../topics/scoring.js';
import { endedRecord, processingRecord, replyRecord, resultRecord } from './records.js';
import { passingOver } from './overflow/passing-over.js';
import { scoreInTurn } from './overflow/score-in-turn.js';
import type { WorkspaceShares } from './overflow/workspace-shares.js';
import { scoreStep, type ScoreStepOptions } from './score-step.js';
import type { ScoringPool } from './scoring-job.js';

export interface ScoreMetricsOptions {
  /** The threads of this lane, and of no other. */
  readonly pool: ScoringPool;
  readonly clock: Clock;
}

/** A task that takes longer says that it is being processed. */
const announceAfterMs = 500;

/** What is said of a task: its result, and where it stands. */
export const taskRecords: ScoreStepOptions['records'] = (request, result, hops) => [
  resultRecord(request, 'task', result, hops),
  endedRecord(request, result, hops.scoredAt),
];

/** What is said of a real-time call: its result, and the answer to the edge that waits. */
export const realtimeRecords: ScoreStepOptions['records'] = (request, result, hops) => [
  resultRecord(request, 'realtime', result, hops),
  ...(request.reply_to === null ? [] : [replyRecord(request, request.reply_to, result)]),
];

/** What is not scored in the partition's turn is fetched again: little of it, then. */
const overflowFetchBytes = 128 * 1024;

/** Tasks: requests → results, and the status that clients ask for. */
export function scoreMetrics({ pool, clock }: ScoreMetricsOptions): Processor<ScoringRequest> {
  return {
    name: 'score-metrics',
    from: scoringRequests,
    to: [scoringResults, taskStatus],
    batchSize: 200,
    step: (requests, context) =>
      scoreStep(requests, new Map(), context, { pool, clock, records: taskRecords }),
    announce: {
      afterMs: announceAfterMs,
      records: ({ value }) => [processingRecord(value, clock())],
    },
  };
}

/** Real-time calls: requests → results, and replies. Small runs, so that the first answer does not wait for the last. */
export function scoreMetricsRealtime({ pool, clock }: ScoreMetricsOptions): Processor<ScoringRequest> {
  return {
    name: 'score-metrics-realtime',
    from: scoringRequestsRealtime,
    to: [scoringResults, scoringReplies],
    batchSize: 50,
    step: (requests, context) =>
      scoreStep(requests, new Map(), context, { pool, clock, records: realtimeRecords }),
  };
}

/** A lane, and the one beside it for what would hold others up. */
export interface LaneWithOverflow {
  readonly lane: Processor<ScoringRequest>;
  readonly overflow: Processor<ScoringRequest>;
}

/** Long texts, and tasks of a workspace beyond its share, wait in the overflow; there workspaces take turns. */
export function taskLanes(options: ScoreMetricsOptions, shares: WorkspaceShares): LaneWithOverflow {
  return withOverflow(
    scoreMetrics(options),
    scoringRequestsOverflow,
    { ...options, records: taskRecords },
    shares,
  );
}

/** Calls have no share: all of them are to be answered at once, and only long texts go another way. */
export function realtimeLanes(options: ScoreMetricsOptions): LaneWithOverflow {
  const lane = scoreMetricsRealtime(options);
  return withOverflow(lane, scoringRequestsRealtimeOverflow, { ...options, records: realtimeRecords });
}

function withOverflow(
  lane: Processor<ScoringRequest>,
  topic: typeof scoringRequestsOverflow,
  options: ScoreStepOptions,
  shares?: WorkspaceShares,
): LaneWithOverflow {
  const step: typeof lane.step = (requests, context) => lane.step(requests, context);
  return {
    lane: { ...lane, to: [...lane.to, topic], step: passingOver(step, topic, shares) },
    overflow: {
      ...lane,
      name: `${lane.name}-overflow`,
      from: topic,
      fetchBytes: overflowFetchBytes,
      inTurns: true,
      step: (requests, context) => scoreInTurn(requests, context, options),
    },
  };
}
