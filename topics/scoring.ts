import type { Scorer } from '../schemas/generated/scorer.js';
import type { ScoringReply } from '../schemas/generated/scoring-reply.js';
import type { ScoringRequest } from '../schemas/generated/scoring-request.js';
import type { ScoringResult } from '../schemas/generated/scoring-result.js';
import type { TaskStatus } from '../schemas/generated/task-status.js';
import { avro, compact, compactAndDeleteAfter, deleteAfter, topic } from './topic.js';

/** Work to be scored, one record per task. Keyed by task id, so that a task's records stay in order. */
export const scoringRequests = topic({
  name: 'scoring.requests',
  key: 'task id',
  value: avro<ScoringRequest>('scoring-request'),
  partitions: 12,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'http-edge',
});

/** Real-time calls: a lane of their own, so that they never wait behind tasks. */
export const scoringRequestsRealtime = topic({
  name: 'scoring.requests.realtime',
  key: 'task id',
  value: avro<ScoringRequest>('scoring-request'),
  partitions: 6,
  cleanup: deleteAfter({ days: 1 }),
  owner: 'http-edge',
});

/**
 * Tasks that would delay others: those of a workspace beyond its share, and long texts. Keyed so that a workspace has
 * two partitions, because partitions take turns.
 */
export const scoringRequestsOverflow = topic({
  name: 'scoring.requests.overflow',
  key: 'workspace, in two parts',
  value: avro<ScoringRequest>('scoring-request'),
  partitions: 12,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'processors/score-metrics',
});

/** Calls with long texts, which would delay short ones. */
export const scoringRequestsRealtimeOverflow = topic({
  name: 'scoring.requests.realtime.overflow',
  key: 'workspace, in two parts',
  value: avro<ScoringRequest>('scoring-request'),
  partitions: 6,
  cleanup: deleteAfter({ days: 1 }),
  owner: 'processors/score-metrics',
});

/**
 * Tasks that need a language model: passed on unchanged, so that the others don't wait for it. Keyed so that workspaces
 * take turns.
 */
export const scoringRequestsLanguageModel = topic({
  name: 'scoring.requests.language-model',
  key: 'workspace, in two parts',
  value: avro<ScoringRequest>('scoring-request'),
  partitions: 12,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'processors/score-metrics',
});

/** Calls that need a language model. They are requeued here until they are answered, so little is kept. */
export const scoringRequestsLanguageModelRealtime = topic({
  name: 'scoring.requests.language-model.realtime',
  key: 'task id',
  value: avro<ScoringRequest>('scoring-request'),
  partitions: 6,
  cleanup: deleteAfter({ hours: 1 }),
  owner: 'processors/score-metrics',
});

/** Replies to real-time calls, for the edge that waits for them. */
export const scoringReplies = topic({
  name: 'scoring.replies',
  key: 'edge instance',
  value: avro<ScoringReply>('scoring-reply'),
  partitions: 4,
  cleanup: deleteAfter({ minutes: 10 }),
  owner: 'processors/score-metrics',
});

/** The full results of both lanes. */
export const scoringResults = topic({
  name: 'scoring.results',
  key: 'task id',
  value: avro<ScoringResult>('scoring-result'),
  partitions: 6,
  cleanup: deleteAfter({ days: 30 }),
  owner: 'processors/score-metrics',
});

/** The status of each task; compacted, so that an edge reads only the last ones. */
export const taskStatus = topic({
  name: 'scoring.task-status',
  key: 'task id',
  value: avro<TaskStatus>('task-status'),
  partitions: 12,
  cleanup: compactAndDeleteAfter({ days: 7 }),
  owner: 'http-edge, processors/score-metrics',
});

/**
 * How each metric is computed in this installation, for the edge's list: one record per metric, the last
 * report of a processor.
 */
export const scoringScorers = topic({
  name: 'scoring.scorers',
  key: 'metric',
  value: avro<Scorer>('scorer'),
  partitions: 1,
  cleanup: compact(),
  owner: 'processors/score-metrics',
});
