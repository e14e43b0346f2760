import type { IncomingMessage } from 'node:http';
import { Problem } from '../../runtime/http/problem.js';

/** The header that the dashboard's own script sends. A form on another page can't send it. */
const dashboardHeader = 'x-telltale-dashboard';

/**
 * Throws if a request might come from a page other than the dashboard: browsers send the cookie with requests
 * from any page. Browsers also send the origin of each request (`Sec-Fetch-Site`, or `Origin` in older ones),
 * and a page can't change that.
 */
export function requireOwnPage({ method, headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  if (method === 'GET' || method === 'HEAD') {
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw refused();
    return;
  }
  const isOwn = site === undefined ? isSameHost(headers.origin, headers.host) : site === 'same-origin';
  if (!isOwn || headers[dashboardHeader] === undefined) throw refused();
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith('application/json'))
    throw new Problem('unsupported-media-type', 'Send `Content-Type: application/json`.');
}

function isSameHost(origin: string | undefined, host: string | undefined): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

function refused(): Problem {
  return new Problem('forbidden', 'This path answers only requests from the dashboard at the same address.');
}
