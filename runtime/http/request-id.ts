import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const wellFormed = /^[A-Za-z0-9._~-]{1,128}$/;

/** The random part makes ids unique among processes, the count within this one: a UUID for each would cost more. */
const prefix = randomBytes(9).toString('base64url').replaceAll('_', '~');
let count = 0;

export function newRequestId(): string {
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}

/** The client's own request id if it is well-formed (and not an API key by mistake), otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (given === undefined) return newRequestId();
  return typeof given === 'string' && wellFormed.test(given) && !given.includes('tt_')
    ? given
    : newRequestId();
}
