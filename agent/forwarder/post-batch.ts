import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { reasonOf } from '../../runtime/errors.js';
import type { Dataset } from '../component.js';
import type { Batch } from '../spool/sender.js';
import { asksForBatchId, type Answer } from './answer.js';

/** The part of a batch that is sent to the server. */
type PostedBatch = Pick<Batch, 'dataset' | 'id' | 'body'>;

export interface Server {
  readonly url: string;
  readonly key: string;
}

/** Sends batches over connections that stay open. */
export interface BatchPoster {
  /** Rejects if no whole answer came; it is then unknown whether the batch has arrived. */
  post(batch: PostedBatch, server: Server, signal: AbortSignal): Promise<Answer>;
  /** Sends a batch without an id: a server that accepts this dataset with this key refuses it for that alone. */
  ask(dataset: Dataset, server: Server, signal: AbortSignal): Promise<Answer>;
  /** Sends JSON that is no batch, without the spool: a report of this agent, or the answer to a question. */
  tell(path: string, said: object, server: Server, signal: AbortSignal): Promise<Answer>;
  close(): void;
}

/** Whether the server accepts batches of this dataset with this key; false if it gives no answer. */
export const takesBatches = (
  poster: Pick<BatchPoster, 'ask'>,
  ...asked: Parameters<BatchPoster['ask']>
): Promise<boolean> => poster.ask(...asked).then(asksForBatchId, () => false);

const pathOf = (dataset: Dataset): string => `/api/v1/agent/${dataset}`;
const compress = promisify(gzip);
const answerMs = 30_000;
const longestAnswer = 256 * 1024;

export function createBatchPoster(): BatchPoster {
  const settings = { keepAlive: true, maxSockets: 8, timeout: answerMs };
  const http = new HttpAgent(settings);
  const https = new HttpsAgent(settings);

  const send = (
    path: string,
    { url, key }: Server,
    body: Buffer,
    more: OutgoingHttpHeaders,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const target = new URL(`${url.replace(/\/+$/, '')}${path}`);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-ndjson',
      'content-length': body.length,
      accept: 'application/json',
      'user-agent': 'telltale-agent',
      ...more,
    };
    return exchange(
      () =>
        target.protocol === 'https:'
          ? httpsRequest(target, { method: 'POST', agent: https, headers, signal })
          : httpRequest(target, { method: 'POST', agent: http, headers, signal }),
      body,
    );
  };

  return {
    async post({ dataset, id, body }, server, signal) {
      const compressed = await compress(body, { level: 1 });
      return send(
        pathOf(dataset),
        server,
        compressed,
        { 'batch-id': id, 'content-encoding': 'gzip' },
        signal,
      );
    },
    ask: (dataset, server, signal) => send(pathOf(dataset), server, Buffer.alloc(0), {}, signal),
    tell(path, said, server, signal) {
      const body = Buffer.from(JSON.stringify(said));
      return send(path, server, body, { 'content-type': 'application/json' }, signal);
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

async function exchange(send: () => ClientRequest, body: Buffer): Promise<Answer> {
  for (;;) {
    const request = send();
    try {
      return await answered(request, body);
    } catch (error) {
      // The server can close an idle connection as it is used again: that says nothing about it.
      if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    }
  }
}

function answered(request: ClientRequest, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${answerMs / 1_000} s`)),
      answerMs,
    );
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    request.once('error', (error) => settle(() => reject(error)));
    request.once('response', (response) => {
      readAnswer(response).then(
        (answer) => settle(() => resolve(answer)),
        (error: unknown) => settle(() => reject(new Error(reasonOf(error), { cause: error }))),
      );
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body: Buffer.concat(chunks).toString(),
  };
}
