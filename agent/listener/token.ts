import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../../runtime/http/problem.js';

/** Throws the 401 of a request that doesn't show the token, where one is set. */
export function requireToken(request: IncomingMessage, token: string): void {
  if (token === '') return;
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (shown !== undefined && sameSecret(shown, token)) return;
  throw new Problem(
    'unauthorized',
    'This agent asks for its token: send it as `Authorization: Bearer <token>`.',
    { headers: ['www-authenticate', 'Bearer'] },
  );
}

/** Takes the same time whatever is wrong. */
function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Whether only programs of this machine reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
