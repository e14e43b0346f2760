import type { TaskStatus } from './generated/task-status.js';

const quoted = JSON.stringify;

/**
 * The task status object of the API, as JSON text. The result is JSON already and goes in as it is, so that a status
 * answer costs no parsing.
 */
export function taskStatusBody(status: TaskStatus): string {
  const result = status.result === null ? '' : `,"result":${status.result}`;
  const error = status.error === null ? '' : `,"error":${quoted(status.error)}`;
  return `{"task_id":${quoted(status.task_id)},"status":"${status.status}","message":${quoted(status.message)}${result}${error}}`;
}

/** The states in words; the first one is also what the acceptance says. */
export const statusMessages = {
  processing: 'The calculation is in progress.',
  processed: 'The calculation is complete.',
  failed: 'The calculation failed.',
} as const;
