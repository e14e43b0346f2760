import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** Throws the 401 of a request that doesn't show the token, where one is set. `detail` says which is asked for. */
export function requireToken(request: IncomingMessage, token: string, detail: string): void {
  if (token === '') return;
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (shown !== undefined && isSameSecret(shown, token)) return;
  throw new Problem('unauthorized', detail, { headers: ['www-authenticate', 'Bearer'] });
}

/** Takes the same time whatever is wrong. */
function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
