import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TelltaleError } from '../errors.js';
import type { Logger } from '../logging.js';
import { createConnectionErrors, refuseTunnel, type LastExchanges } from './connection-errors.js';
import { drain } from './drain.js';
import type { Exchange, ExchangeHost } from './exchange.js';
import { listeningServer, type ServerCertificate } from './listening-server.js';

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  /** Accepts no new connections and lets requests in flight finish; those that take too long are answered 503. */
  stop(): Promise<void>;
}

export interface ServerConfig {
  /** Names the server in messages. */
  readonly what: string;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** The variable that changes the port, for the message when it is taken. */
  readonly portVariable: string;
  /** With a certificate the server speaks only HTTPS. */
  readonly certificate: ServerCertificate;
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

/** How often Node looks for requests that have exceeded their time. */
const timeoutCheckMs = 500;

export async function startServer({ config, host, dispatch, logger }: ServerOptions): Promise<RunningServer> {
  const options = {
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveMs,
    maxHeaderSize: config.maxHeaderBytes,
    connectionsCheckingInterval: timeoutCheckMs,
    noDelay: true,
    // Node would answer such a request without a body; the dispatcher answers it with one.
    requireHostHeader: false,
  };
  const { server, scheme, connected } = listeningServer(options, config.certificate, logger);
  server.maxConnections = config.maxConnections;
  const last: LastExchanges = new WeakMap();
  const connections = new Set<Socket>();
  // A client may close its side once it has sent everything, and still listen. Node's types lack the name.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on(connected, (socket: Socket) => {
    connections.add(socket);
    socket.once('end', () => last.get(socket)?.clientClosedItsSide());
    socket.once('close', () => connections.delete(socket));
  });
  answerRequests(server, host, dispatch, last);
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const url = `${scheme}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  logger.info({ event: 'http-listening', url }, `the ${config.what} listens`);
  const timeoutMs = config.drainTimeoutMs;
  let stopping: Promise<void> | undefined;
  return {
    port,
    url,
    stop() {
      host.draining = true;
      stopping ??= drain({ server, connections, last, timeoutMs, logger });
      return stopping;
    },
  };
}

function answerRequests(
  server: Server,
  host: ExchangeHost,
  dispatch: ServerOptions['dispatch'],
  last: LastExchanges,
): void {
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    last.set(request.socket, dispatch(request, response));
  };
  server.on('request', take);
  // The body is asked for when it is read: see Exchange.askForBody.
  server.on('checkContinue', take);
  // Any other expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', take);
  server.on('clientError', createConnectionErrors(last, host.httpMetrics));
  server.on('connect', (_: IncomingMessage, socket: Duplex) => refuseTunnel(socket, host.httpMetrics));
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
