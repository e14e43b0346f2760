import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { Writable } from 'node:stream';
import { answer, type SimulatedSize } from './simulated-answers.js';

/**
 * A stand-in for a cluster that is too large to run here: it generates answers in the form of 8.14 and
 * streams them row by row, gzipped if requested. It is no Elasticsearch: it tests the agent's resource use,
 * not its parsing.
 */
export interface SimulatedCluster {
  readonly port: number;
  /** Bytes sent, before compression, by path without its query. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Requested paths without an answer. */
  readonly unknown: ReadonlySet<string>;
  readonly calls: number;
  /** The most calls that were in progress at once. */
  readonly mostAtOnce: number;
  /** The delay before each answer, from now on. */
  answersTakeMs: number;
  stop(): Promise<void>;
}

export async function simulatedCluster(size: SimulatedSize): Promise<SimulatedCluster> {
  const bytes = new Map<string, number>();
  const unknown = new Set<string>();
  let [calls, atOnce] = [0, 0];
  const server = createServer((request, response) => {
    calls += 1;
    atOnce += 1;
    cluster.mostAtOnce = Math.max(cluster.mostAtOnce, atOnce);
    void serve(request, response)
      .catch(() => response.destroy())
      .finally(() => (atOnce -= 1));
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const asked = await textOf(request);
    await sleep(cluster.answersTakeMs);
    const say = streamTo(request, response);
    const isKnown = await answer(request.url ?? '/', size, asked, async (text) => {
      bytes.set(path, (bytes.get(path) ?? 0) + Buffer.byteLength(text));
      await say.text(text);
    });
    if (!isKnown) unknown.add(path);
    await say.end();
  };
  const cluster = {
    port: 0,
    bytes,
    unknown,
    mostAtOnce: 0,
    answersTakeMs: 0,
    get calls() {
      return calls;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cluster.port = (server.address() as AddressInfo).port;
  return cluster;
}

/** Sends some tens of kilobytes at a time, no faster than the client reads. */
function streamTo(
  request: IncomingMessage,
  response: ServerResponse,
): { text(text: string): Promise<void>; end(): Promise<void> } {
  const zipped = String(request.headers['accept-encoding']).includes('gzip');
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  });
  const zip = zipped ? createGzip({ level: 1 }) : undefined;
  zip?.pipe(response);
  const out: Writable = zip ?? response;
  let pending = '';
  const flush = async (): Promise<void> => {
    const text = pending;
    pending = '';
    if (!out.write(text)) await once(out, 'drain');
  };
  return {
    async text(text) {
      pending += text;
      if (pending.length > 65_536) await flush();
    },
    async end() {
      await flush();
      const sent = response.writableFinished ? Promise.resolve() : once(response, 'finish');
      out.end();
      await sent;
    },
  };
}
