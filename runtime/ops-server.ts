import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { TelltaleError, reasonOf } from './errors.js';
import type { Health } from './health.js';
import { jsonMediaType } from './http/exchange.js';
import { livenessBody, readinessAnswer } from './http/operations.js';
import { Problem, problemBody, problemMediaType } from './http/problem.js';
import { newRequestId } from './http/request-id.js';
import { pathOf } from './http/route.js';
import type { Stoppable } from './lifecycle.js';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';

export interface OpsServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The variable that changes the port, for the message when it is taken. */
  readonly portVariable?: string;
}

export interface OpsServer extends Stoppable {
  readonly port: number;
}

/** Longer than probes and scrapers pause: one that sends while the server closes would see a reset connection. */
const keepAliveMs = 75_000;

/**
 * What an operator asks every process: `/livez` (200 while it runs), `/readyz` (200 or 503, with what it waits for) and
 * `/metrics` (Prometheus text). Rejects with PORT_BUSY.
 */
export async function startOpsServer(options: OpsServerOptions): Promise<OpsServer> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      options.logger.error({ reason: reasonOf(error) }, 'an operations endpoint failed');
      response.destroy();
    });
  });
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  options.logger.info({ port }, 'operations endpoints are open');
  return {
    name: 'operations endpoints',
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { port, host, portVariable }: OpsServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const details = { port, what: 'operations endpoints', variable: portVariable ?? 'its variable' };
      reject(cause.code === 'EADDRINUSE' ? new TelltaleError('PORT_BUSY', details, { cause }) : cause);
    });
    server.listen({ port, host }, resolve);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { health, metrics }: OpsServerOptions,
): Promise<void> {
  const path = pathOf(request.url ?? '/');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const problem = new Problem('method-not-allowed', 'This path takes GET, HEAD.');
    refuse(response, path, problem, { allow: 'GET, HEAD' });
    return;
  }
  switch (path) {
    case '/livez':
      send(response, 200, jsonMediaType, livenessBody);
      return;
    case '/readyz': {
      const { status, body } = readinessAnswer(health);
      send(response, status, jsonMediaType, body, status === 200 ? {} : { 'retry-after': '1' });
      return;
    }
    case '/metrics':
      send(response, 200, metrics.registry.contentType, await metrics.registry.metrics());
      return;
    default:
      refuse(response, path, new Problem('not-found', 'There are /livez, /readyz and /metrics.'));
  }
}

function refuse(
  response: ServerResponse,
  path: string,
  problem: Problem,
  headers: OutgoingHttpHeaders = {},
): void {
  const requestId = newRequestId();
  send(response, problem.status, problemMediaType, problemBody(problem, path, requestId), {
    'x-request-id': requestId,
    ...headers,
  });
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers });
  response.end(body);
}
