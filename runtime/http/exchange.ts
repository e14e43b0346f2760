import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../logging.js';
import type { FairRoom } from './fair-room.js';
import { clientClosed, type HttpMetrics, type RouteMeter } from './http-metrics.js';
import { ClientGone, outage, overShare, problemOf } from './failures.js';
import { problemDetails, type Problem, type ProblemRendering } from './problem.js';

/** What all exchanges of a server share. */
export interface ExchangeHost {
  readonly logger: Logger;
  readonly httpMetrics: HttpMetrics;
  /** A body longer than this is not read to its end only to keep the connection open. */
  readonly bodyLimit: number;
  /** Bounds the bodies of all exchanges together. */
  readonly room?: FairRoom;
  /** The server is stopping: every answer closes its connection. */
  draining: boolean;
}

/**
 * Bytes as text, one character U+0000 to U+00FF per byte (Web IDL's name). Node joins such a body with the
 * head and writes both at once; a Buffer would be allocated, and written, separately.
 */
export type ByteString = string;

const noHeaders: readonly string[] = [];
const lingerMs = 1_000;
const mostBodies = 4;
export const jsonMediaType = 'application/json; charset=utf-8';

/** One request and its answer: headers that every answer has, problems, and the accounting when it is over. */
export class Exchange {
  bytesIn = 0;
  /** Stops reading the body, with an error; set only while it is being read. */
  cancelBody: ((problem: Problem) => void) | undefined;

  /** The format of this exchange's problems. */
  problems: ProblemRendering = problemDetails;

  /** The owner whose share of the room for bodies this exchange uses: the id of its key, once that is known. */
  owner: string | undefined;

  /** The workspace whose reads it makes, once that is known. */
  workspace: string | undefined;

  /** Headers added to every answer: names and values, alternating. */
  headers: readonly string[] = noHeaders;

  /** The client waits to be told to send its body. */
  private awaitsContinue: boolean;
  private onGone: (() => void) | undefined;
  private leaving: AbortController | undefined;
  private readonly startedAt = performance.now();
  private status = 0;
  private bytesOut = 0;
  private held = 0;
  private over = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Without the query. */
    readonly path: string,
    readonly requestId: string,
    private readonly meter: RouteMeter,
    private readonly host: ExchangeHost,
  ) {
    meter.started();
    this.awaitsContinue = expectsContinue(request);
    response.on('close', () => this.closed());
  }

  get answered(): boolean {
    return this.status !== 0;
  }

  /** Aborted with ClientGone if the client disconnects before it is answered. */
  get gone(): AbortSignal {
    if (this.leaving === undefined) {
      const leaving = new AbortController();
      this.leaving = leaving;
      const abort = (): void => leaving.abort(new ClientGone());
      if (this.over) abort();
      else this.whenGone(abort);
    }
    return this.leaving.signal;
  }

  /** Calls back once if the client disconnects before it is answered; closing its side counts too. */
  whenGone(callback: () => void): void {
    this.onGone = callback;
    if (this.request.socket.readableEnded) this.clientClosedItsSide();
  }

  /** A client that closes its side during a long answer no longer waits. Otherwise it might still listen. */
  clientClosedItsSide(): void {
    if (this.onGone !== undefined && !this.answered) this.request.socket.destroy();
  }

  /** Bytes that are counted against the room for bodies. */
  get bytesHeld(): number {
    return this.held;
  }

  /**
   * Counts bytes in memory until they are released or the exchange is over. Returns the problem if there is
   * no room for them.
   */
  hold(bytes: number): Problem | undefined {
    const { room } = this.host;
    if (room === undefined || this.over) return undefined;
    if (!room.take(bytes, this.owner, this.workspace))
      return this.owner === undefined ? outage() : overShare();
    this.held += bytes;
    return undefined;
  }

  release(bytes: number): void {
    if (this.over) return;
    this.held -= bytes;
    this.host.room?.give(bytes, this.owner, this.workspace);
  }

  /**
   * Call this when the body is read: a request refused earlier is never asked for its body (RFC 9110,
   * 10.1.1).
   */
  askForBody(): void {
    if (!this.awaitsContinue) return;
    this.awaitsContinue = false;
    this.response.writeContinue();
  }

  json(status: number, body: string | Buffer, headers: readonly string[] = noHeaders): void {
    this.answer(status, jsonMediaType, body, headers);
  }

  jsonBytes(status: number, body: ByteString, headers: readonly string[] = noHeaders): void {
    this.answer(status, jsonMediaType, body, headers, 'latin1');
  }

  /** Answers; a second call does nothing. `headers` are names and values, alternating. */
  answer(
    status: number,
    contentType: string,
    body: string | Buffer,
    headers: readonly string[] = noHeaders,
    encoding: 'utf8' | 'latin1' = 'utf8',
  ): void {
    if (this.answered || this.response.destroyed) return;
    const length = typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length;
    const head = ['x-request-id', this.requestId];
    if (!headers.includes('cache-control')) head.push('cache-control', 'no-store');
    if (status !== 204) head.push('content-type', contentType, 'content-length', String(length));
    for (const part of this.headers) head.push(part);
    for (const part of headers) head.push(part);
    const linger = !this.request.complete && this.hasUnwantedBody();
    if ((linger || this.host.draining) && !headers.includes('connection')) head.push('connection', 'close');
    this.response.writeHead(status, head);
    // Set only here: a failure before this line is still answered with a problem.
    this.status = status;
    this.bytesOut = this.request.method === 'HEAD' ? 0 : length;
    if (linger) this.endAfterLingering(body, encoding);
    else this.response.end(body, encoding);
  }

  /** Answers with the problem for what was thrown. */
  fail(thrown: unknown): void {
    if (thrown instanceof ClientGone) return;
    const problem = problemOf(thrown);
    this.host.httpMetrics.rejected(problem.kind);
    if (problem.kind === 'internal')
      this.host.logger.error(
        { event: 'request-failed', request_id: this.requestId, route: this.meter.pattern, err: thrown },
        'a request failed',
      );
    const body = this.problems.body(problem, this.path, this.requestId);
    this.answer(problem.status, this.problems.mediaType, body, problem.headers);
  }

  private hasUnwantedBody(): boolean {
    const { headers } = this.request;
    // The client may still send the body, or its next request instead. The two can't be told apart.
    if (this.awaitsContinue) return true;
    if (headers['transfer-encoding'] !== undefined) return true;
    return Number(headers['content-length'] ?? 0) > this.host.bodyLimit;
  }

  /**
   * Closing a connection while the client is still sending makes the client's kernel drop the answer. So the
   * answer is sent whole, and the connection is closed once the client has stopped sending for a second, or
   * has sent a few bodies' worth of bytes. The server's time limit for a whole request bounds both.
   */
  private endAfterLingering(body: string | Buffer, encoding: 'utf8' | 'latin1'): void {
    const { request, response } = this;
    let unwanted = 0;
    const end = (): void => {
      clearTimeout(timer);
      if (!response.writableEnded) response.end();
    };
    const timer = setTimeout(end, lingerMs);
    response.write(body, encoding);
    request.on('data', (chunk: Buffer) => {
      unwanted += chunk.length;
      timer.refresh();
      if (unwanted > mostBodies * this.host.bodyLimit) end();
    });
    request.once('end', end);
    request.once('error', end);
    request.once('close', end);
  }

  private closed(): void {
    this.release(this.held);
    this.over = true;
    const status = this.answered ? this.status : clientClosed;
    const seconds = (performance.now() - this.startedAt) / 1_000;
    this.meter.finished(status, seconds, this.bytesIn, this.bytesOut);
    if (!this.answered) this.onGone?.();
    if (this.host.logger.isLevelEnabled('debug'))
      this.host.logger.debug(
        {
          event: 'request-answered',
          method: this.meter.method,
          route: this.meter.pattern,
          status,
          seconds,
          request_id: this.requestId,
        },
        'answered',
      );
  }
}

/** The value of Expect by which Node recognises that a client waits. */
function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return (
    headers.expect !== undefined &&
    httpVersion === '1.1' &&
    /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)
  );
}
