import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Logger } from '../../runtime/logging.js';
import { reloadingAgent } from '../../runtime/tls/reloading-agent.js';

export interface PeerClientOptions {
  readonly secret: string;
  /** PEM file of the authority that signs edges' certificates; empty: those that Node.js knows. */
  readonly caFile: string;
  readonly logger: Logger;
}

/** An edge's answer to another one: an HTTP status, and a body if there is one. */
export interface PeerAnswer {
  readonly status: number;
  readonly body?: Buffer;
}

/** Asks other edges, over connections that stay open. */
export interface PeerClient {
  /** A POST if there is a body, otherwise a GET. Rejects with NoAnswerInTime after `timeoutMs`. */
  send(url: string, path: string, body?: Buffer, timeoutMs?: number): Promise<Required<PeerAnswer>>;
  stop(): void;
}

/** The edge might still be working on the question. */
export class NoAnswerInTime extends Error {
  constructor(url: string, timeoutMs: number) {
    super(`${url} did not answer within ${timeoutMs} ms`);
    this.name = 'NoAnswerInTime';
  }
}

/** Longer than an edge waits for Kafka to answer a question about a task. */
const usualTimeoutMs = 2_500;
const largestAnswer = 16 * 1024 * 1024;
const connections = {
  keepAlive: true,
  maxSockets: 64,
  // Shorter than the other side's timeout, so no question is sent on a connection that is being closed.
  timeout: 30_000,
} as const;

export function openPeerClient({ secret, caFile, logger }: PeerClientOptions): PeerClient {
  const http = new HttpAgent(connections);
  const https = reloadingAgent(caFile === '' ? {} : { ca: caFile }, logger, connections);
  return {
    send: (url, path, body, timeoutMs = usualTimeoutMs) =>
      new Promise((resolve, reject) => {
        const signal = AbortSignal.timeout(timeoutMs);
        const fail = (error: Error): void =>
          reject(signal.aborted ? new NoAnswerInTime(url, timeoutMs) : error);
        const secure = url.startsWith('https:');
        const sent = (secure ? httpsRequest : httpRequest)(`${url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          agent: secure ? https : http,
          headers: {
            authorization: `Bearer ${secret}`,
            ...(body !== undefined && { 'content-length': body.length }),
          },
          signal,
        });
        sent.on('error', fail);
        sent.once('response', (response) => {
          readAtMost(response, largestAnswer).then(
            (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
            fail,
          );
        });
        sent.end(body);
      }),
    stop() {
      http.destroy();
      https.destroy();
    },
  };
}

/** The whole body. Rejects if it is longer than `limit` bytes. */
export async function readAtMost(message: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > limit) throw new Error(`a body between edges has more than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
