import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { TelltaleError, reasonOf } from './errors.js';
import type { Health } from './health.js';
import type { OperationsConfig } from './config.js';
import { requireToken } from './http/bearer-token.js';
import { refuseTunnel } from './http/connection-errors.js';
import { jsonMediaType } from './http/exchange.js';
import { problemOf } from './http/failures.js';
import { requireOwnHost } from './http/host.js';
import { messageFault } from './http/message-fault.js';
import { livenessBody, metricsTokenWanted, readinessAnswer } from './http/operations.js';
import { Problem, problemBody, problemMediaType, retryAfter } from './http/problem.js';
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
  readonly access: OperationsConfig;
  /** The variable that changes the port, for the message when it is taken. */
  readonly portVariable?: string;
}

export interface OpsServer extends Stoppable {
  readonly port: number;
}

/**
 * Longer than the pauses of probes and scrapers: one that sends while the server closes the connection would see a
 * reset.
 */
const keepAliveMs = 75_000;

/**
 * The server that every process has for operators: `/livez` (200 while it runs), `/readyz` (200 or 503, with what it
 * waits for) and `/metrics` (Prometheus text). Rejects with PORT_BUSY.
 */
export async function startOpsServer(options: OpsServerOptions): Promise<OpsServer> {
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    void answer(request, response, options);
  };
  const server = createServer({ requireHostHeader: false }, take);
  // No path takes a body, so nobody is asked for one.
  server.on('checkContinue', take);
  server.on('connect', (_: IncomingMessage, socket: Duplex) => refuseTunnel(socket));
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  options.logger.info({ event: 'operations-listening', port }, 'operations endpoints are open');
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
  options: OpsServerOptions,
): Promise<void> {
  const path = pathOf(request.url ?? '/');
  try {
    await answerPath(path, request, response, options);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.kind === 'internal')
      options.logger.error(
        { event: 'operations-request-failed', reason: reasonOf(error) },
        'an operations endpoint failed',
      );
    const requestId = newRequestId();
    const headers = ['x-request-id', requestId, ...problem.headers];
    send(response, problem.status, problemMediaType, problemBody(problem, path, requestId), headers);
  }
}

async function answerPath(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { health, metrics, host, access }: OpsServerOptions,
): Promise<void> {
  const fault = messageFault(request);
  if (fault !== undefined) throw fault;
  requireOwnHost(request, [host, ...access.OPERATIONS_ALLOWED_HOSTS]);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new Problem('method-not-allowed', 'This path accepts GET, HEAD.', {
      headers: ['allow', 'GET, HEAD'],
    });
  switch (path) {
    case '/livez':
      send(response, 200, jsonMediaType, livenessBody);
      return;
    case '/readyz': {
      const { status, body } = readinessAnswer(health);
      send(response, status, jsonMediaType, body, status === 200 ? [] : retryAfter(1));
      return;
    }
    case '/metrics':
      requireToken(request, access.METRICS_TOKEN, metricsTokenWanted);
      send(response, 200, metrics.registry.contentType, await metrics.read());
      return;
    default:
      throw new Problem('not-found', 'There are /livez, /readyz and /metrics.');
  }
}

function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: readonly string[] = [],
): void {
  response.writeHead(status, ['content-type', contentType, 'cache-control', 'no-store', ...headers]);
  response.end(body);
}
