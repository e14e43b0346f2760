import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange, type ExchangeHost } from '../../runtime/http/exchange.js';
import { messageFault } from '../../runtime/http/message-fault.js';
import { createPathMeters, type PathIndex } from '../../runtime/http/path-index.js';
import { requestIdOf } from '../../runtime/http/request-id.js';
import { pathOf, runRoute, type Route } from '../../runtime/http/route.js';

/** Answers every request that no hot route takes. */
export type ColdListener = (exchange: Exchange) => void;

export interface DispatcherOptions {
  readonly host: ExchangeHost;
  /** The paths of all routes. */
  readonly known: PathIndex;
  /** The routes that are answered without express. */
  readonly hot: readonly Route[];
  readonly cold: ColdListener;
}

/**
 * Gives each request its exchange and its route: one path lookup for hot routes, express for everything else.
 */
export function createDispatcher({
  host,
  known,
  hot,
  cold,
}: DispatcherOptions): (request: IncomingMessage, response: ServerResponse) => Exchange {
  const meterOf = createPathMeters(host.httpMetrics);
  const isHot = new Set(hot);

  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const method = request.method ?? 'GET';
    const fault = messageFault(request);
    const found = fault === undefined ? known(path) : undefined;
    const meter = meterOf(method, found);
    const exchange = new Exchange(request, response, path, requestIdOf(request), meter, host);
    const route = found?.route(method);
    try {
      if (fault !== undefined) throw fault;
      if (found === undefined || route === undefined || !isHot.has(route)) cold(exchange);
      else runRoute(route, exchange, found.parameters(path));
    } catch (error) {
      exchange.fail(error);
    }
    return exchange;
  };
}
