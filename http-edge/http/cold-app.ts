import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { ServerResponse } from 'node:http';
import { createPathIndex, type EdgeRoutes } from '../routes.js';
import { handle, type ColdListener } from './dispatcher.js';
import type { Exchange } from './exchange.js';
import { Problem } from './problem.js';

/**
 * Everything that is not hot, in express: it matches paths and decodes parameters; the answers go through the same
 * exchange as those of the hot routes. It also tells 404 from 405, for hot paths too.
 */
export function createColdApp(routes: EdgeRoutes): ColdListener {
  const exchanges = new WeakMap<ServerResponse, Exchange>();
  const exchangeOf = (response: Response): Exchange => {
    const exchange = exchanges.get(response);
    if (exchange === undefined) throw new RangeError('a response without its exchange');
    return exchange;
  };
  const app: Express = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  for (const route of routes.cold) {
    const path = route.pattern.replace(/\{(\w+)\}/g, ':$1');
    app[route.method === 'GET' ? 'get' : route.method === 'POST' ? 'post' : 'delete'](
      path,
      (request, response) => {
        handle(route, exchangeOf(response), request.params as Record<string, string>);
      },
    );
  }

  const known = createPathIndex(routes);
  app.use((_: Request, response: Response) => answerUnmatched(exchangeOf(response), known));
  app.use((error: unknown, _: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else exchangeOf(response).fail(isBadPath(error) ? new URIError('malformed path') : error);
  });
  return (exchange) => {
    exchanges.set(exchange.response, exchange);
    app(exchange.request as Request, exchange.response as Response);
  };
}

function answerUnmatched(exchange: Exchange, known: ReturnType<typeof createPathIndex>): void {
  const { method } = exchange.request;
  if (method === 'OPTIONS' && exchange.path === '*') {
    exchange.answer(204, '', '', ['allow', 'DELETE, GET, HEAD, OPTIONS, POST']);
    return;
  }
  const path = known(exchange.path);
  if (path === undefined)
    exchange.fail(
      new Problem('not-found', 'There is nothing at this path. GET /openapi.json lists what there is.'),
    );
  else if (method === 'OPTIONS') exchange.answer(204, '', '', ['allow', path.allow.join(', ')]);
  else
    exchange.fail(
      new Problem('method-not-allowed', `This path takes ${path.allow.join(', ')}.`, {
        headers: ['allow', path.allow.join(', ')],
      }),
    );
}

/** Express wraps a failed percent-decoding in an error with the status 400. */
function isBadPath(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}
