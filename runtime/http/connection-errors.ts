import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.js';
import type { HttpMetrics } from './http-metrics.js';
import { Problem, problemBody, problemMediaType } from './problem.js';
import { newRequestId } from './request-id.js';

/** The last exchange of each connection: an error of the connection can be about it. */
export type LastExchanges = WeakMap<Duplex, Exchange>;

/**
 * Answers requests that are not valid HTTP, or that arrive too slowly. Answers on a connection keep their order, so the
 * error waits for the answers to earlier requests.
 */
export function createConnectionErrors(
  last: LastExchanges,
  httpMetrics: HttpMetrics,
): (error: Error & { code?: string }, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = problemOfConnection(error.code ?? '');
    const exchange = last.get(socket);
    if (exchange !== undefined && !exchange.request.complete) {
      if (exchange.answered) endAnswered(exchange, socket);
      else endConnectionWith(exchange, problem);
    } else if (exchange === undefined || exchange.response.closed) {
      refuse(socket, problem, httpMetrics);
    } else {
      exchange.response.once('close', () => refuse(socket, problem, httpMetrics));
    }
  };
}

/** Answers with the problem, whether or not the body has arrived, and closes the connection. */
export function endConnectionWith(exchange: Exchange, problem: Problem): void {
  const closing = new Problem(problem.kind, problem.message, {
    headers: [...problem.headers, 'connection', 'close'],
  });
  if (exchange.cancelBody === undefined) exchange.fail(closing);
  else exchange.cancelBody(closing);
}

function problemOfConnection(code: string): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem(
      'request-timeout',
      'The request did not arrive in time. Send it faster, or in smaller parts.',
    );
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'headers-too-large',
      'The headers are larger than this server accepts. Send fewer or shorter ones.',
    );
  return new Problem('malformed-request', 'This is not valid HTTP/1.1.');
}

/** The last answer might not have been written yet. */
function endAnswered({ response }: Exchange, socket: Duplex): void {
  if (response.writableEnded) socket.destroy();
  else response.end(() => socket.destroy());
}

/** Answers CONNECT, and closes: these servers are not proxies. Reads nothing after the request's head. */
export function refuseTunnel(socket: Duplex, httpMetrics?: HttpMetrics): void {
  socket.on('error', () => socket.destroy());
  refuse(
    socket,
    new Problem('not-implemented', 'This server is not a proxy and opens no tunnels.'),
    httpMetrics,
  );
}

function refuse(socket: Duplex, problem: Problem, httpMetrics?: HttpMetrics): void {
  httpMetrics?.rejected(problem.kind);
  if (!socket.writable) return;
  const requestId = newRequestId();
  const body = problemBody(problem, '/', requestId);
  const head = [
    `HTTP/1.1 ${problem.status} ${reasonPhrases[problem.status] ?? 'Bad Request'}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
};
