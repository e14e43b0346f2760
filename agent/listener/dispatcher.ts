import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange, type ExchangeHost } from '../../runtime/http/exchange.js';
import { answerUnmatched, createPathIndex, createPathMeters } from '../../runtime/http/path-index.js';
import { Problem } from '../../runtime/http/problem.js';
import { requestIdOf } from '../../runtime/http/request-id.js';
import { pathOf, runRoute, type Route } from '../../runtime/http/route.js';
import { requireToken } from './token.js';

export interface DispatcherOptions {
  readonly host: ExchangeHost;
  readonly routes: readonly Route[];
  /** Asked for each request, as it may change; empty where none is needed. */
  readonly token: () => string;
}

/** What an orchestrator asks, which has no token. */
const open: ReadonlySet<string> = new Set(['/livez', '/readyz']);

const nothingHere = 'There is nothing at this path. GET /openapi.json lists what there is.';

/** Gives each request its exchange and its route. */
export function createDispatcher({
  host,
  routes,
  token,
}: DispatcherOptions): (request: IncomingMessage, response: ServerResponse) => Exchange {
  const known = createPathIndex(routes);
  const meterOf = createPathMeters(known, host.httpMetrics);

  const dispatch = (exchange: Exchange): void => {
    const { request, path } = exchange;
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      throw new Problem('malformed-request', 'HTTP/1.1 demands exactly one Host header.');
    const found = known(path);
    if (found?.problems !== undefined) exchange.problems = found.problems;
    if (!open.has(path)) requireToken(request, token());
    const route = found?.route(request.method ?? 'GET');
    if (found === undefined || route === undefined) answerUnmatched(exchange, known, nothingHere);
    else runRoute(route, exchange, found.parameters(path));
  };

  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const meter = meterOf(request.method ?? 'GET', path);
    const exchange = new Exchange(request, response, path, requestIdOf(request), meter, host);
    try {
      dispatch(exchange);
    } catch (error) {
      exchange.fail(error);
    }
    return exchange;
  };
}
