import { type OutgoingRecord, record } from '../../runtime/processor.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import type { ScoringOutcome } from '../../schemas/results.js';
import { wellFormedJson } from '../../schemas/well-formed-json.js';
import { statusMessages } from '../../schemas/task-status-body.js';
import { scoringReplies, scoringResults, taskStatus } from '../../topics/scoring.js';
import type { ScoringJobResult } from './scoring-job.js';

/** When a request reached each stage, microseconds since 1970. */
export interface StageTimestamps {
  readonly appendedAt: number;
  readonly takenAt: number;
  readonly scoredAt: number;
}

/** The result of a request that was scored or failed; it becomes one row. */
export function resultRecord(
  request: ScoringRequest,
  lane: 'task' | 'realtime',
  result: ScoringJobResult,
  timestamps: StageTimestamps,
  version = 0,
): OutgoingRecord {
  return record(scoringResults, request.id, {
    id: request.id,
    workspace: request.workspace,
    key_id: request.key_id,
    lane,
    metric: request.metric,
    prompt: request.prompt,
    response: request.response,
    // A language model's reply may contain half a surrogate pair, which ClickHouse does not accept in JSON.
    metrics: result.ok ? wellFormedJson(JSON.stringify(result.metrics)) : null,
    error: result.ok ? null : result.reason,
    scorer_versions: result.ok ? result.scorerVersions : {},
    accepted_at: request.accepted_at,
    appended_at: timestamps.appendedAt,
    taken_at: timestamps.takenAt,
    scored_at: timestamps.scoredAt,
    version,
    pattern_places: result.ok ? result.patternPlaces : {},
  });
}

/** The final status of a request's task. */
export function endedRecord(request: ScoringRequest, result: ScoringJobResult, at: number): OutgoingRecord {
  return result.ok
    ? statusRecord(request, 'processed', at, { result: resultText(request, result), error: null })
    : statusRecord(request, 'failed', at, { result: null, error: result.reason });
}

export function processingRecord(request: ScoringRequest, at: number): OutgoingRecord {
  return statusRecord(request, 'processing', at, { result: null, error: null });
}

function statusRecord(
  request: ScoringRequest,
  status: keyof typeof statusMessages,
  at: number,
  outcome: Pick<TaskStatus, 'result' | 'error'>,
): OutgoingRecord {
  return record(taskStatus, request.id, {
    task_id: request.id,
    workspace: request.workspace,
    metric: request.metric,
    status,
    message: statusMessages[status],
    ...outcome,
    accepted_at: request.accepted_at,
    updated_at: at,
    request_digest: request.request_digest,
  });
}

/** The reply to a real-time call, for the edge that waits. */
export function replyRecord(
  request: ScoringRequest,
  replyTo: string,
  result: ScoringJobResult,
): OutgoingRecord {
  return record(scoringReplies, replyTo, {
    id: request.id,
    result: result.ok ? resultText(request, result) : null,
    error: result.ok ? null : result.reason,
  });
}

/** The real-time result object of the API, as JSON text. */
function resultText(
  { id, prompt, response }: ScoringRequest,
  { metrics }: { metrics: ScoringOutcome['metrics'] },
): string {
  return JSON.stringify({ id, prompt, response, metrics } satisfies ScoringOutcome);
}
