import type { Clock } from '../../runtime/clock.js';
import type { Processor, ProcessorDeclaration } from '../../runtime/processor.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import { takesLong, type JobCost } from './job-cost.js';
import { scoringLanes } from './lanes.js';
import { endedRecord, processingRecord, replyRecord, resultRecord } from './records.js';
import { toOverflow } from './overflow/to-overflow.js';
import { turnLength } from './overflow/turn-length.js';
import type { WorkspaceShares } from './overflow/workspace-shares.js';
import { scoreStep, type ScoreStepOptions } from './score-step.js';
import { isLong, type ScoringPool } from './scoring-job.js';

export interface ScoreMetricsOptions {
  /** The threads of this lane alone. */
  readonly pool: ScoringPool;
  readonly clock: Clock;
}

export interface LaneOptions extends ScoreMetricsOptions {
  /** The threads of the overflow. */
  readonly background: ScoringPool;
  readonly cost: JobCost;
}

export interface TaskLaneOptions extends LaneOptions {
  readonly shares: WorkspaceShares;
}

/** A task that takes longer is announced as being processed. */
const announceAfterMs = 500;

/** The records of a task: its result, and its new status. */
export const taskRecords: ScoreStepOptions['records'] = (request, result, timestamps) => [
  resultRecord(request, 'task', result, timestamps),
  endedRecord(request, result, timestamps.scoredAt),
];

/** The records of a real-time call: its result, and the reply to the edge that waits. */
export const realtimeRecords: ScoreStepOptions['records'] = (request, result, timestamps) => [
  resultRecord(request, 'realtime', result, timestamps),
  ...(request.reply_to === null ? [] : [replyRecord(request, request.reply_to, result)]),
];

/** Records that are not scored in the partition's turn are fetched again, so a fetch takes only a few. */
const overflowFetchBytes = 128 * 1024;

/** Tasks: requests → results, and the status that clients ask for. */
export function scoreMetrics({ pool, clock }: ScoreMetricsOptions): Processor<ScoringRequest> {
  return {
    ...scoringLanes.task.ordinary,
    batchSize: 200,
    step: (requests, context) =>
      scoreStep(requests, new Map(), context, { pool, clock, records: taskRecords }),
    announce: {
      afterMs: announceAfterMs,
      records: ({ value }) => [processingRecord(value, clock())],
    },
  };
}

/**
 * Real-time calls: requests → results, and replies. Runs are small, so that the first answer does not wait for the
 * last.
 */
export function scoreMetricsRealtime({ pool, clock }: ScoreMetricsOptions): Processor<ScoringRequest> {
  return {
    ...scoringLanes.realtime.ordinary,
    batchSize: 50,
    step: (requests, context) =>
      scoreStep(requests, new Map(), context, { pool, clock, records: realtimeRecords }),
  };
}

/** A lane, and its overflow for requests that would delay others. */
export interface LaneWithOverflow {
  readonly lane: Processor<ScoringRequest>;
  readonly overflow: Processor<ScoringRequest>;
}

/** Long requests, and tasks of a workspace beyond its share, wait in the overflow, where workspaces take turns. */
export function taskLanes({ cost, shares, background, ...own }: TaskLaneOptions): LaneWithOverflow {
  const keeps = (request: ScoringRequest): boolean => {
    const ms = cost(request);
    return !takesLong(ms) && shares.take(request.workspace, ms);
  };
  const options = { pool: background, clock: own.clock, records: taskRecords };
  return withOverflow(scoreMetrics(own), scoringLanes.task.overflow, { ...options, cost, keeps });
}

/** Calls have no share, because all of them must be answered at once: only long texts go to the overflow. */
export function realtimeLanes({ background, cost, ...own }: LaneOptions): LaneWithOverflow {
  const options = { pool: background, clock: own.clock, records: realtimeRecords };
  const keeps = (request: ScoringRequest): boolean => !isLong(request);
  return withOverflow(scoreMetricsRealtime(own), scoringLanes.realtime.overflow, { ...options, cost, keeps });
}

interface OverflowOptions extends ScoreStepOptions {
  readonly cost: JobCost;
  /** Whether the lane scores the request itself. */
  readonly keeps: (request: ScoringRequest) => boolean;
}

function withOverflow(
  lane: Processor<ScoringRequest>,
  overflow: ProcessorDeclaration<ScoringRequest>,
  { cost, keeps, ...options }: OverflowOptions,
): LaneWithOverflow {
  const step: typeof lane.step = (requests, context) => lane.step(requests, context);
  return {
    lane: { ...lane, step: toOverflow(step, overflow.from, keeps) },
    overflow: {
      ...lane,
      ...overflow,
      fetchBytes: overflowFetchBytes,
      turn: (requests) => turnLength(requests.map(({ value }) => cost(value))),
      step: (requests, context) => scoreStep(requests, new Map(), context, options),
    },
  };
}
