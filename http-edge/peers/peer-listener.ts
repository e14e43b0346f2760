import type { IncomingMessage, ServerResponse } from 'node:http';
import { reasonOf, TelltaleError } from '../../../runtime/errors.js';
import { requireToken } from '../../../runtime/http/bearer-token.js';
import { listeningServer, type ServerCertificate } from '../../../runtime/http/listening-server.js';
import { problemOf } from '../../../runtime/http/failures.js';
import type { Logger } from '../../../runtime/logging.js';
import { NotKept } from './question.js';
import { askedBy, peerAnswers } from './peer-protocol.js';
import type { StatusShards } from './status-shards.js';

export interface PeerListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly certificate: ServerCertificate;
  readonly shards: StatusShards;
  readonly logger: Logger;
}

export interface PeerListener {
  stop(): Promise<void>;
}

/** Longer than the other side keeps a connection that it does not use. */
const keepAliveMs = 75_000;
const requestTimeoutMs = 10_000;

/** Answers other edges about what this one keeps; it never asks on. Rejects with PORT_BUSY. */
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
  { secret, shards, logger }: PeerListenerOptions,
): Promise<void> {
  try {
    requireToken(request, secret, 'Only edges of this installation are answered.');
    const { status, entry } = await answerOf(request, shards);
    end(response, status, entry);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.kind === 'internal')
      logger.error({ event: 'peer-not-answered', reason: reasonOf(error) }, 'another edge got no answer');
    end(response, problem.status);
  }
}

async function answerOf(
  { method, url = '' }: IncomingMessage,
  shards: StatusShards,
): Promise<{ readonly status: number; readonly entry?: Buffer }> {
  const asked = method === 'GET' ? askedBy(url) : undefined;
  if (asked === undefined) return { status: 404 };
  const { partition, question } = asked;
  if (!shards.isCaughtUp(partition)) return { status: peerAnswers.notKept };
  if (question === undefined) return { status: peerAnswers.none };
  try {
    const entry = await shards.answer(partition, question);
    return entry === undefined ? { status: peerAnswers.none } : { status: peerAnswers.entry, entry };
  } catch (error) {
    if (error instanceof NotKept) return { status: peerAnswers.notKept };
    throw error;
  }
}

function end(response: ServerResponse, status: number, body?: Buffer): void {
  response.writeHead(
    status,
    body && { 'content-type': 'application/octet-stream', 'content-length': body.length },
  );
  response.end(body);
}
