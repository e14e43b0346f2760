import type { TaskStatus } from './generated/task-status.js';

const quoted = JSON.stringify;

/**
 * The API's task status object as JSON text. The result is already JSON and is inserted unchanged, so that a
 * status answer needs no parsing.
 */
export function taskStatusBody(status: TaskStatus): string {
  const result = status.result === null ? '' : `,"result":${status.result}`;
  const error = status.error === null ? '' : `,"error":${quoted(status.error)}`;
  return `{"task_id":${quoted(status.task_id)},"status":"${status.status}","message":${quoted(status.message)}${result}${error}}`;
}

/** The messages of the states after `queued`, whose message is that of the acceptance (`acceptedMessage`). */
export const statusMessages = {
  processing: 'The calculation is in progress.',
  processed: 'The calculation is complete.',
  failed: 'The calculation failed.',
} as const;
