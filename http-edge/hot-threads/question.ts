import type { HotThreads } from '../../schemas/generated/hot-threads.js';

/** How long agents are asked: four times the interval between reports. */
export const askedMs = 120_000;

/** `failed`: the agent says why there are none. `expired`: no agent has answered in time. */
export type HotThreadsStatus = 'waiting' | 'answered' | 'failed' | 'expired';

export function newQuestion(
  workspace: string,
  clusterUuid: string,
  questionId: string,
  nowMs: number,
): HotThreads {
  return {
    ...{ workspace, cluster_uuid: clusterUuid, question_id: questionId },
    asked_at: Math.round(nowMs * 1_000),
    ...{ answered_at: null, agent_host: null, hot_threads: null, message: null },
  };
}

/** A late answer still counts. */
export function statusOf(question: HotThreads, nowMs: number): HotThreadsStatus {
  if (question.answered_at !== null) return question.hot_threads === null ? 'failed' : 'answered';
  return nowMs < endOf(question) ? 'waiting' : 'expired';
}

export const isWaiting = (question: HotThreads, nowMs: number): boolean =>
  statusOf(question, nowMs) === 'waiting';

/** When agents are no longer asked, in milliseconds since 1970. */
export const endOf = ({ asked_at: askedAt }: HotThreads): number => askedAt / 1_000 + askedMs;
