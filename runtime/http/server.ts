import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TelltaleError } from '../errors.js';
import type { Logger } from '../logging.js';
import { createConnectionErrors, type LastExchanges } from './connection-errors.js';
import type { Exchange, ExchangeHost } from './exchange.js';
import { pathOf } from './route.js';

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  /** Takes no new connections, lets what is in flight finish, then closes what is left. */
  stop(): Promise<void>;
}

export interface ServerConfig {
  /** Names the server in messages. */
  readonly what: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The variable that changes the port, for the message when it is taken. */
  readonly portVariable: string;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  readonly drainTimeoutMs: number;
}

interface ServerOptions {
  readonly config: ServerConfig;
  readonly host: ExchangeHost;
  readonly dispatch: (request: IncomingMessage, response: ServerResponse) => Exchange;
  readonly logger: Logger;
}

/** How often Node looks for requests that are over their time. */
const timeoutCheckMs = 500;

export async function startServer({ config, host, dispatch, logger }: ServerOptions): Promise<RunningServer> {
  const server = createServer({
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveMs,
    maxHeaderSize: config.maxHeaderBytes,
    connectionsCheckingInterval: timeoutCheckMs,
    noDelay: true,
    // Node would refuse it without a body; the dispatcher does so with one.
    requireHostHeader: false,
  });
  server.maxConnections = config.maxConnections;
  answerRequests(server, host, dispatch);
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  logger.info({ url }, `the ${config.what} listens`);
  return { port, url, stop: () => drain(server, host, config.drainTimeoutMs, logger) };
}

function answerRequests(server: Server, host: ExchangeHost, dispatch: ServerOptions['dispatch']): void {
  const last: LastExchanges = new WeakMap();
  const take = (request: IncomingMessage, response: ServerResponse): Exchange => {
    const exchange = dispatch(request, response);
    last.set(request.socket, exchange);
    return exchange;
  };
  server.on('request', take);
  // A client that waits for `100 Continue` is told at once where its body is too long to be sent at all.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const limit = host.bodyLimitOf?.(pathOf(request.url ?? '/')) ?? host.bodyLimit;
    if (Number(request.headers['content-length'] ?? 0) <= limit) response.writeContinue();
    take(request, response);
  });
  // Any other expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', take);
  server.on('clientError', createConnectionErrors(last, host.httpMetrics));
}

async function listen(server: Server, { what, host, port, portVariable }: ServerConfig): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const busy = { port, what, variable: portVariable };
      reject(error.code === 'EADDRINUSE' ? new TelltaleError('PORT_BUSY', busy, { cause: error }) : error);
    });
    server.listen(port, host, 4_096, resolve);
  });
}

async function drain(server: Server, host: ExchangeHost, timeoutMs: number, logger: Logger): Promise<void> {
  if (host.draining) return;
  host.draining = true;
  const late = setTimeout(() => {
    logger.warn({ ms: timeoutMs }, 'requests in flight did not finish in time');
    server.closeAllConnections();
  }, timeoutMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(late);
}
