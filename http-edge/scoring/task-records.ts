import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { TaskRecords } from '../ports.js';
import type { MetricEndpoint } from './metric-endpoints.js';
import type { Texts } from './metric-request.js';

export interface TaskToQueue {
  readonly taskId: string;
  readonly key: Pick<ApiKey, 'workspace' | 'key_id'>;
  readonly endpoint: Pick<MetricEndpoint, 'metric' | 'acceptedMessage'>;
  readonly texts: Texts;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Distinguishes another body under the same Idempotency-Key from this one; null without a key. */
  readonly digest: string | null;
}

/** The records of a task: the request, and its first status. */
export function recordsOf({ taskId, key, endpoint, texts, nowMs, digest }: TaskToQueue): TaskRecords {
  const acceptedAt = Math.round(nowMs * 1_000);
  const { metric, acceptedMessage } = endpoint;
  return {
    request: {
      id: taskId,
      workspace: key.workspace,
      key_id: key.key_id,
      metric,
      prompt: texts.prompt,
      response: texts.response,
      accepted_at: acceptedAt,
      deadline: null,
      reply_to: null,
      request_digest: digest,
    },
    queued: {
      task_id: taskId,
      workspace: key.workspace,
      metric,
      status: 'queued',
      message: acceptedMessage,
      result: null,
      error: null,
      accepted_at: acceptedAt,
      updated_at: acceptedAt,
      request_digest: digest,
    },
  };
}

/** The body of an accepted task, as text: neither the message nor the id needs escaping. */
export function acceptedBody(
  { acceptedMessage }: Pick<MetricEndpoint, 'acceptedMessage'>,
  taskId: string,
): string {
  return `{"status":"queued","message":"${acceptedMessage}","task_id":"${taskId}"}`;
}
