import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** Throws a 401 if a token is configured and the request lacks it. `detail` says which token is meant. */
export function requireToken(request: IncomingMessage, token: string, detail: string): void {
  if (token === '') return;
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (shown !== undefined && isSameSecret(shown, token)) return;
  throw new Problem('unauthorized', detail);
}

/** Compares in constant time. */
function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
