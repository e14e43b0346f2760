import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange, type ExchangeHost } from '../../runtime/http/exchange.js';
import { messageFault } from '../../runtime/http/message-fault.js';
import { createPathIndex, createPathMeters, unmatched } from '../../runtime/http/path-index.js';
import { requestIdOf } from '../../runtime/http/request-id.js';
import { pathOf, runRoute, type Route } from '../../runtime/http/route.js';
import { allRoutes, metricsPath, type EdgeRoutes } from '../routes.js';

/** Answers what no hot route takes. */
export type ColdListener = (exchange: Exchange) => void;

const statusPrefix = `${metricsPath}/task/`;
const statusSuffix = '/status';

export interface DispatcherOptions {
  readonly host: ExchangeHost;
  readonly routes: EdgeRoutes;
  readonly cold: ColdListener;
}

/** Gives each request its exchange: hot routes by one look-up in a map, everything else to express. */
export function createDispatcher(
  options: DispatcherOptions,
): (request: IncomingMessage, response: ServerResponse) => Exchange {
  const { host, routes, cold } = options;
  const metered = (route: Route) => ({
    route,
    meter: host.httpMetrics.forRoute(route.method, route.pattern),
  });
  const hotOf = (method: string) =>
    new Map(
      routes.hot.filter((route) => route.method === method).map((route) => [route.pattern, metered(route)]),
    );
  const hotPosts = hotOf('POST');
  const hotGets = hotOf('GET');
  const status = metered(routes.status);
  const coldMeter = createPathMeters(createPathIndex(allRoutes(routes)), host.httpMetrics);

  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const method = request.method ?? 'GET';
    const requestId = requestIdOf(request);
    const fault = messageFault(request);
    if (fault !== undefined) {
      const exchange = new Exchange(request, response, path, requestId, coldMeter(method, unmatched), host);
      exchange.fail(fault);
      return exchange;
    }
    const isGet = method === 'GET' || method === 'HEAD';
    const taskId = isGet ? taskIdOf(path) : undefined;
    if (taskId !== undefined) {
      const exchange = new Exchange(request, response, path, requestId, status.meter, host);
      runRoute(status.route, exchange, { task_id: taskId });
      return exchange;
    }
    const hot = method === 'POST' ? hotPosts.get(path) : isGet ? hotGets.get(path) : undefined;
    if (hot !== undefined) {
      const exchange = new Exchange(request, response, path, requestId, hot.meter, host);
      runRoute(hot.route, exchange, {});
      return exchange;
    }
    const exchange = new Exchange(request, response, path, requestId, coldMeter(method, path), host);
    cold(exchange);
    return exchange;
  };
}

/** Of a status path; undefined where it is another one. */
function taskIdOf(path: string): string | undefined {
  if (!path.startsWith(statusPrefix) || !path.endsWith(statusSuffix)) return undefined;
  const taskId = path.slice(statusPrefix.length, -statusSuffix.length);
  return taskId === '' || taskId.includes('/') ? undefined : taskId;
}
