import type { TaskStatus } from './generated/task-status.js';

const quoted = JSON.stringify;

/**
 * The task status object of the API, as JSON text. The result is JSON already and is inserted unchanged, so that a
 * status answer needs no parsing.
 */
export function taskStatusBody(status: TaskStatus): string {
  const result = status.result === null ? '' : `,"result":${status.result}`;
  const error = status.error === null ? '' : `,"error":${quoted(status.error)}`;
  return `{"task_id":${quoted(status.task_id)},"status":"${status.status}","message":${quoted(status.message)}${result}${error}}`;
}

/** The messages of the states; the first one is also the message of the acceptance. */
export const statusMessages = {
  processing: 'The calculation is in progress.',
  processed: 'The calculation is complete.',
  failed: 'The calculation failed.',
} as const;
