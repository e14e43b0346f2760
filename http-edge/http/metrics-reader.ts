import type { IncomingMessage } from 'node:http';
import { requireToken } from '../../runtime/http/bearer-token.js';
import { isLoopbackRequest } from '../../runtime/http/host.js';
import { metricsTokenWanted } from '../../runtime/http/operations.js';
import { Problem } from '../../runtime/http/problem.js';

/**
 * Checks who may read the metrics on the clients' port: requests with the token or, if none is set, programs
 * on this machine. Throws a problem for all others.
 */
export function checkMetricsReader(request: IncomingMessage, token: string): void {
  if (token !== '') requireToken(request, token, metricsTokenWanted);
  else if (!isLoopbackRequest(request))
    throw new Problem('not-open', 'Only programs on the machine of the edge may read the metrics.');
}
