import { hash } from 'node:crypto';
import type { RequestedMetric } from '../../schemas/metrics.js';
import { Problem } from '../../runtime/http/problem.js';
import type { OnceIdentity } from '../ports.js';
import type { Texts } from './metric-request.js';

/** 1 to 255 visible ASCII characters. */
const wellFormed = /^[\x21-\x7e]{1,255}$/;
const dayMs = 86_400_000;

/** The task ids that an Idempotency-Key stands for: today's (UTC), and yesterday's, as a key is good for a day. */
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

/** A UUID of version 8 (RFC 9562: custom) from the SHA-256 of workspace, key and day. */
function derivedId(workspace: string, key: string, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const digest = hash('sha256', JSON.stringify([workspace, key, day]), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}

/** What tells another body under the same key: of what was validated, not of the bytes that were sent. */
export function digestOf(metric: RequestedMetric, { prompt, response }: Texts): string {
  return hash('sha256', JSON.stringify([metric, prompt, response]), 'hex');
}
