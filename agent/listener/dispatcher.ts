import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireToken } from '../../runtime/http/bearer-token.js';
import { Exchange, type ExchangeHost } from '../../runtime/http/exchange.js';
import { requireOwnHost } from '../../runtime/http/host.js';
import { messageFault } from '../../runtime/http/message-fault.js';
import {
  answerUnmatched,
  createPathIndex,
  createPathMeters,
  type KnownPath,
} from '../../runtime/http/path-index.js';
import { Problem } from '../../runtime/http/problem.js';
import { requestIdOf } from '../../runtime/http/request-id.js';
import { pathOf, runRoute, type Route } from '../../runtime/http/route.js';
import { foreignOrigin, isPreflight, preflightHeaders, sharingHeaders } from './origins.js';

export interface DispatcherOptions {
  readonly host: ExchangeHost;
  readonly routes: readonly Route[];
  /** Called for each request, because it can change. */
  readonly access: () => Access;
}

/** Who may use the agent. */
export interface Access {
  /** The agent's own names in `Host`, in lower case, in addition to loopback. */
  readonly hosts: readonly string[];
  /** The origins of web pages that may use it. */
  readonly origins: readonly string[];
  /** Empty if none is needed. */
  readonly token: string;
  /** The token for `/metrics`; empty if it is the same. */
  readonly metricsToken: string;
}

/** The routes for orchestrators, which have no token. */
const open: ReadonlySet<string> = new Set(['/livez', '/readyz']);

const nothingHere = 'There is nothing at this path. GET /openapi.json lists what there is.';
const tokenWanted = 'This agent requires its token: send it as `Authorization: Bearer <token>`.';

/** Gives each request its exchange and, if the client may use the agent, its route. */
export function createDispatcher({
  host,
  routes,
  access,
}: DispatcherOptions): (request: IncomingMessage, response: ServerResponse) => Exchange {
  const known = createPathIndex(routes);
  const meterOf = createPathMeters(host.httpMetrics);

  const dispatch = (exchange: Exchange, found: KnownPath | undefined): void => {
    const { request, path } = exchange;
    if (found?.problems !== undefined) exchange.problems = found.problems;
    const fault = messageFault(request);
    if (fault !== undefined) throw fault;
    const { hosts, origins, token, metricsToken } = access();
    requireOwnHost(request, hosts);
    if (sharesWithPage(exchange, origins) && isPreflight(request)) {
      answerPreflight(exchange, found);
      return;
    }
    if (path === '/metrics' && metricsToken !== '') requireToken(request, metricsToken, tokenWanted);
    else if (!open.has(path)) requireToken(request, token, tokenWanted);
    const route = found?.route(request.method ?? 'GET');
    if (found === undefined || route === undefined) answerUnmatched(exchange, known, nothingHere);
    else runRoute(route, exchange, found.parameters(path));
  };

  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const found = known(path);
    const meter = meterOf(request.method ?? 'GET', found);
    const exchange = new Exchange(request, response, path, requestIdOf(request), meter, host);
    exchange.headers = ['vary', 'origin'];
    try {
      dispatch(exchange, found);
    } catch (error) {
      exchange.fail(error);
    }
    return exchange;
  };
}

/**
 * Whether the request comes from a page of a listed origin. That page may then read every answer, including
 * problems.
 */
function sharesWithPage(exchange: Exchange, origins: readonly string[]): boolean {
  const origin = foreignOrigin(exchange.request, origins);
  if (origin === undefined) return false;
  exchange.headers = [...exchange.headers, ...sharingHeaders(origin)];
  return true;
}

/** Before the token is checked, because browsers send none with a preflight. */
function answerPreflight(exchange: Exchange, path: KnownPath | undefined): void {
  if (path === undefined) throw new Problem('not-found', nothingHere);
  exchange.answer(204, '', '', preflightHeaders(exchange.request, path.allow));
}
