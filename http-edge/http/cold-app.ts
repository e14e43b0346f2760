import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { ServerResponse } from 'node:http';
import type { Exchange } from '../../runtime/http/exchange.js';
import { answerUnmatched, type PathIndex } from '../../runtime/http/path-index.js';
import { runRoute, type Route } from '../../runtime/http/route.js';
import { askedBy } from './asker.js';
import type { ColdListener } from './dispatcher.js';

const nothingHere = 'There is nothing at this path. GET /openapi.json lists what there is.';

/**
 * Answers everything that is not hot, through express, which matches paths and decodes parameters. The
 * answers go through the same exchange as those of the hot routes. It also distinguishes 404 from 405, for
 * all paths that are `known`.
 */
export function createColdApp(routes: readonly Route[], known: PathIndex): ColdListener {
  const exchanges = new WeakMap<ServerResponse, Exchange>();
  const exchangeOf = (response: Response): Exchange => {
    const exchange = exchanges.get(response);
    if (exchange === undefined) throw new RangeError('a response without its exchange');
    return exchange;
  };
  const app: Express = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  for (const route of routes) {
    const path = route.pattern.replace(/\{(\w+)\}/g, ':$1');
    app[route.method === 'GET' ? 'get' : route.method === 'POST' ? 'post' : 'delete'](
      path,
      (request, response) => {
        const exchange = exchangeOf(response);
        askedBy(exchange, () => runRoute(route, exchange, request.params as Record<string, string>));
      },
    );
  }

  app.use((_: Request, response: Response) => answerUnmatched(exchangeOf(response), known, nothingHere));
  app.use((error: unknown, _: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else exchangeOf(response).fail(isBadPath(error) ? new URIError('malformed path') : error);
  });
  return (exchange) => {
    exchanges.set(exchange.response, exchange);
    app(exchange.request as Request, exchange.response as Response);
  };
}

/** Express wraps a failed percent-decoding in an error with the status 400. */
function isBadPath(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}
