import { Server as NetServer, type Socket } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging.js';
import { endConnectionWith, type LastExchanges } from './connection-errors.js';
import { Problem, retryAfter } from './problem.js';

/**
 * How long requests are still accepted on open connections once the server has been told to stop. A busy client sends
 * its next request right after an answer: closing at that time would reset a connection that the client believes to be
 * good.
 */
const lastRequestsMs = 100;
/** How often connections that have become idle are closed. */
const sweepMs = 100;
/** How long the last answers have to reach their clients. */
const flushMs = 250;

export interface Drained {
  readonly server: Server;
  readonly connections: ReadonlySet<Socket>;
  readonly last: LastExchanges;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/**
 * Accepts no new connections and lets requests in flight finish; those that still wait after `timeoutMs` are answered
 * 503. Resolves once every connection is closed.
 */
export async function drain({ server, connections, last, timeoutMs, logger }: Drained): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let closed = false as boolean;
  // http's own `close` would close idle connections at once.
  const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve())).then(
    () => void (closed = true),
  );
  const within = (ms: number): Promise<unknown> => {
    const over = new AbortController();
    const waited = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    return Promise.race([ended, waited]).finally(() => over.abort());
  };

  const closeIdle = idleCloser(connections, last);
  await within(Math.min(lastRequestsMs, timeoutMs));
  while (!closed && Date.now() < deadline) {
    closeIdle();
    await within(sweepMs);
  }
  if (closed) return;
  const waiting = endUnanswered(connections, last);
  logger.warn(
    { event: 'drain-timed-out', ms: timeoutMs, waiting },
    'requests in flight did not finish in time',
  );
  await within(flushMs);
  server.closeAllConnections();
  await ended;
}

/**
 * Each call closes the connections on which nothing ever arrived, and those that have been idle since the
 * call before. Node's own `closeIdleConnections` treats a connection as idle while its answer is still being
 * sent.
 */
function idleCloser(connections: ReadonlySet<Socket>, last: LastExchanges): () => void {
  const readBefore = new WeakMap<Socket, number>();
  return () => {
    for (const connection of connections) {
      const isAnswered = last.get(connection)?.response.writableFinished === true;
      const isSilent = readBefore.get(connection) === connection.bytesRead;
      if (connection.bytesRead === 0 || (isAnswered && isSilent)) connection.destroy();
      readBefore.set(connection, connection.bytesRead);
    }
  };
}

/** Answers each request that still waits, and returns how many there were. */
function endUnanswered(connections: ReadonlySet<Socket>, last: LastExchanges): number {
  let waiting = 0;
  for (const connection of connections) {
    const exchange = last.get(connection);
    if (exchange === undefined || exchange.answered) continue;
    waiting += 1;
    endConnectionWith(
      exchange,
      new Problem(
        'unavailable',
        'This server is stopping, and nothing was promised. Try again; with the same Idempotency-Key or Batch-Id, if the endpoint takes one, this is safe even if this try got through.',
        { headers: retryAfter(1) },
      ),
    );
  }
  return waiting;
}
