import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPathIndex, metricsPath, type EdgeRoutes, type Method, type Route } from '../routes.js';
import { Exchange, type ExchangeHost } from './exchange.js';
import type { RouteMeter } from './http-metrics.js';
import { Problem } from './problem.js';
import { requestIdOf } from './request-id.js';

/** Answers what no hot route takes. */
export type ColdListener = (exchange: Exchange) => void;

const statusPrefix = `${metricsPath}/task/`;
const statusSuffix = '/status';
const unmatched = 'unmatched';

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
  const hotPosts = new Map(routes.hot.map((route) => [route.pattern, metered(route)]));
  const status = metered(routes.status);
  const coldMeter = createColdMeters(routes, host);

  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    const method = request.method ?? 'GET';
    const requestId = requestIdOf(request);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      const exchange = new Exchange(request, response, path, requestId, coldMeter(method, unmatched), host);
      exchange.fail(new Problem('malformed-request', 'HTTP/1.1 demands exactly one Host header.'));
      return exchange;
    }
    if (method === 'POST') {
      const hot = hotPosts.get(path);
      if (hot !== undefined) {
        const exchange = new Exchange(request, response, path, requestId, hot.meter, host);
        handle(hot.route, exchange, {});
        return exchange;
      }
    } else if ((method === 'GET' || method === 'HEAD') && isStatusPath(path)) {
      const exchange = new Exchange(request, response, path, requestId, status.meter, host);
      handle(status.route, exchange, { task_id: path.slice(statusPrefix.length, -statusSuffix.length) });
      return exchange;
    }
    const exchange = new Exchange(request, response, path, requestId, coldMeter(method, path), host);
    cold(exchange);
    return exchange;
  };
}

/** Runs a route and answers what it throws. */
export function handle(route: Route, exchange: Exchange, parameters: Readonly<Record<string, string>>): void {
  try {
    const pending = route.handle(exchange, parameters);
    if (pending !== undefined) pending.catch((error: unknown) => exchange.fail(error));
  } catch (error) {
    exchange.fail(error);
  }
}

function isStatusPath(path: string): boolean {
  return (
    path.startsWith(statusPrefix) &&
    path.endsWith(statusSuffix) &&
    path.length > statusPrefix.length + statusSuffix.length &&
    !path.slice(statusPrefix.length, -statusSuffix.length).includes('/')
  );
}

/** The path without query. A proxy may send a whole URL as the target (RFC 9112, absolute-form). */
function pathOf(target: string): string {
  if (!target.startsWith('/') && target !== '*')
    return URL.canParse(target) ? new URL(target).pathname : target;
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function createColdMeters(
  routes: EdgeRoutes,
  { httpMetrics }: ExchangeHost,
): (method: string, path: string) => RouteMeter {
  const known = createPathIndex(routes);
  const methods: ReadonlySet<string> = new Set<Method | 'HEAD' | 'OPTIONS'>([
    'GET',
    'HEAD',
    'POST',
    'DELETE',
    'OPTIONS',
  ]);
  const meters = new Map<string, RouteMeter>();
  return (method, path) => {
    const label = methods.has(method) ? method : 'other';
    const pattern = known(path)?.pattern ?? unmatched;
    const key = `${label} ${pattern}`;
    let meter = meters.get(key);
    if (meter === undefined) {
      meter = httpMetrics.forRoute(label, pattern);
      meters.set(key, meter);
    }
    return meter;
  };
}
