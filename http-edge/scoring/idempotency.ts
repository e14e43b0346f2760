import { hash } from 'node:crypto';
import type { RequestedMetric } from '../../schemas/metrics.js';
import { Problem } from '../../runtime/http/problem.js';
import type { OnceIdentity } from '../ports.js';
import type { Texts } from './metric-request.js';
import { derivedTaskId } from './task-id.js';

/** 1 to 255 visible ASCII characters. */
const wellFormed = /^[\x21-\x7e]{1,255}$/;
const dayMs = 86_400_000;

/**
 * The task ids that an Idempotency-Key stands for: today's (UTC), and yesterday's, because a key is valid for a day.
 */
export interface IdempotentIds extends OnceIdentity {
  readonly taskId: string;
}

export function idempotentIds(workspace: string, key: string, nowMs: number): IdempotentIds {
  if (!wellFormed.test(key))
    throw new Problem(
      'malformed-request',
      '`Idempotency-Key` must be 1 to 255 visible ASCII characters, once.',
    );
  return {
    group: hash('sha256', JSON.stringify([workspace, key]), 'hex'),
    taskId: derivedId(workspace, key, nowMs),
    previousTaskId: derivedId(workspace, key, nowMs - dayMs),
  };
}

/** The ids of a batch's tasks. The first one's id decides on which day the key was used. */
export interface IdempotentBatch extends OnceIdentity {
  readonly taskIds: readonly string[];
  readonly previousTaskIds: readonly string[];
}

export function idempotentBatch(
  workspace: string,
  key: string,
  nowMs: number,
  tasks: number,
): IdempotentBatch {
  const { taskId, ...identity } = idempotentIds(workspace, key, nowMs);
  const idsOf = (first: string, ms: number): readonly string[] =>
    Array.from({ length: tasks }, (_, at) => (at === 0 ? first : derivedId(workspace, key, ms, at)));
  return {
    ...identity,
    taskIds: idsOf(taskId, nowMs),
    previousTaskIds: idsOf(identity.previousTaskId, nowMs - dayMs),
  };
}

export function keyConflict(taskId: string): Problem {
  return new Problem(
    'conflict',
    `This Idempotency-Key was used for another request, which is task ${taskId}. Use a new key for a new request.`,
  );
}

/** Derived from workspace, key, day and, after the first task of a batch, the task's index in the batch. */
function derivedId(workspace: string, key: string, nowMs: number, index?: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return derivedTaskId(index === undefined ? [workspace, key, day] : [workspace, key, day, index]);
}

/**
 * Distinguishes another body under the same key from this one. It is a digest of the validated request, not
 * of the bytes that were sent.
 */
export function digestOf(metric: RequestedMetric, { prompt, response }: Texts): string {
  return hash('sha256', JSON.stringify([metric, prompt, response]), 'hex');
}

/** The same for a batch: a digest of its valid requests, in order. */
export function digestOfBatch(tasks: readonly { metric: RequestedMetric; texts: Texts }[]): string {
  const parts = tasks.map(({ metric, texts: { prompt, response } }) => [metric, prompt, response]);
  return hash('sha256', JSON.stringify(['batch', parts]), 'hex');
}
