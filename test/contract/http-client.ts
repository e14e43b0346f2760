import { Agent, request } from 'node:http';
import type { Answer } from './document-checker.js';

/** One request as it is sent: fetch would refuse half of what a hostile client sends. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export interface WireClient {
  send(wire: WireRequest): Promise<Answer>;
  close(): void;
}

export function createWireClient(url: string): WireClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const { hostname, port } = new URL(url);
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(body.length) };
        const outgoing = request(
          { agent, hostname, port, method, path, headers: { ...headers, ...length } },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
            incoming.on('error', reject);
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                body: Buffer.concat(chunks),
              }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
  };
}
