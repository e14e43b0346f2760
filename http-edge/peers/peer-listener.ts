import type { IncomingMessage, ServerResponse } from 'node:http';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { requireToken } from '../../runtime/http/bearer-token.js';
import { listeningServer, type ServerCertificate } from '../../runtime/http/listening-server.js';
import { problemOf } from '../../runtime/http/failures.js';
import type { Logger } from '../../runtime/logging.js';
import { readAtMost, type PeerAnswer } from './peer-client.js';

/** Answers a GET, or a POST if there is a body; undefined if the path is not its own. */
export type PeerRoute = (path: string, body: Buffer | undefined) => Promise<PeerAnswer> | undefined;

export interface PeerListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly certificate: ServerCertificate;
  readonly routes: readonly PeerRoute[];
  readonly logger: Logger;
}

export interface PeerListener {
  stop(): Promise<void>;
}

/** Longer than the other side keeps an idle connection. */
const keepAliveMs = 75_000;
const requestTimeoutMs = 10_000;
/** Larger than the records of the largest body that an edge accepts. */
const largestBody = 64 * 1024 * 1024;

/** Answers questions of other edges, and never forwards one. Rejects with PORT_BUSY. */
export async function startPeerListener(options: PeerListenerOptions): Promise<PeerListener> {
  const { host, port, certificate, logger } = options;
  const timeouts = { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs };
  const { server, scheme } = listeningServer(
    { ...timeouts, keepAliveTimeout: keepAliveMs, noDelay: true },
    certificate,
    logger,
  );
  server.on('request', (request, response) => void answer(request, response, options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const busy = { port, what: 'answers to other edges', variable: 'EDGE_PEER_PORT' };
      reject(cause.code === 'EADDRINUSE' ? new TelltaleError('PORT_BUSY', busy, { cause }) : cause);
    });
    server.listen(port, host, resolve);
  });
  logger.info({ event: 'peers-listening', scheme, host, port }, 'this edge answers others');
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, routes, logger }: PeerListenerOptions,
): Promise<void> {
  try {
    requireToken(request, secret, 'Only edges of this installation are answered.');
    end(response, await answerOf(request, routes));
  } catch (error) {
    const problem = problemOf(error);
    if (problem.kind === 'internal')
      logger.error({ event: 'peer-not-answered', reason: reasonOf(error) }, 'another edge got no answer');
    end(response, { status: problem.status });
  }
}

async function answerOf(request: IncomingMessage, routes: readonly PeerRoute[]): Promise<PeerAnswer> {
  const { method, url = '' } = request;
  if (method !== 'GET' && method !== 'POST') return { status: 404 };
  const body = method === 'POST' ? await readAtMost(request, largestBody) : undefined;
  for (const route of routes) {
    const answered = route(url, body);
    if (answered !== undefined) return answered;
  }
  return { status: 404 };
}

function end(response: ServerResponse, { status, body }: PeerAnswer): void {
  response.writeHead(
    status,
    body && { 'content-type': 'application/octet-stream', 'content-length': body.length },
  );
  response.end(body);
}
