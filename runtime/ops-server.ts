import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TelltaleError, reasonOf } from './errors.js';
import type { Health } from './health.js';
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
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    send(response, 405, { error: 'only GET and HEAD are answered here' });
    return;
  }
  switch (new URL(request.url ?? '/', 'http://localhost').pathname) {
    case '/livez': {
      send(response, 200, { live: true });
      return;
    }
    case '/readyz': {
      const readiness = health.readiness();
      send(response, readiness.ready ? 200 : 503, readiness);
      return;
    }
    case '/metrics':
      response.writeHead(200, { 'content-type': metrics.registry.contentType });
      response.end(await metrics.registry.metrics());
      return;
    default: {
      send(response, 404, { error: 'there are /livez, /readyz and /metrics' });
      return;
    }
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
