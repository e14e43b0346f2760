import type { IncomingMessage } from 'node:http';
import { Problem } from '../../runtime/http/problem.js';

/**
 * The listed origin of the web page that sends this request; undefined if no page of another origin does.
 * Throws a 403 for a page of any other origin, whatever the path. A browser sends the origin in `Origin`. If
 * it sends none, as for an image or a link, `Sec-Fetch-Site` tells. No page can change either header.
 */
export function foreignOrigin({ headers }: IncomingMessage, allowed: readonly string[]): string | undefined {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  if (origin !== undefined && allowed.includes(origin)) return origin;
  const isOwn = origin === undefined || [`http://${host}`, `https://${host}`].includes(origin);
  if (isOwn && (site === 'none' || site === 'same-origin')) return undefined;
  throw new Problem(
    'not-open',
    'A web page of another origin may not use this agent, unless its origin is in AGENT_ALLOWED_ORIGINS.',
  );
}

/**
 * Headers that let the page read an answer. Beacons are sent with credentials, which browsers only accept if
 * the headers allow them.
 */
export function sharingHeaders(origin: string): readonly string[] {
  return [
    ...['access-control-allow-origin', origin],
    ...['access-control-allow-credentials', 'true'],
    ...['access-control-expose-headers', 'x-request-id, retry-after'],
  ];
}

/** Whether a browser asks if it may send the page's request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers;
}

const preflightSeconds = 600;

/**
 * The answer to a preflight for a listed origin: the methods of the path, and all headers that the page wants to send.
 */
export function preflightHeaders(
  { headers }: IncomingMessage,
  methods: readonly string[],
): readonly string[] {
  const wanted = headers['access-control-request-headers'];
  return [
    ...['access-control-allow-methods', methods.join(', ')],
    ...(typeof wanted === 'string' ? ['access-control-allow-headers', wanted] : []),
    ...('access-control-request-private-network' in headers
      ? ['access-control-allow-private-network', 'true']
      : []),
    ...['access-control-max-age', String(preflightSeconds)],
  ];
}
