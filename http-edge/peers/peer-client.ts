import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Logger } from '../../../runtime/logging.js';
import { reloadingAgent } from '../../../runtime/tls/reloading-agent.js';
import { NotKept, type StatusQuestion } from './question.js';
import { keptPath, peerAnswers, questionPath } from './peer-protocol.js';

export interface PeerClientOptions {
  readonly secret: string;
  /** PEM file of the authority that signs edges' certificates; empty: those that Node.js knows. */
  readonly caFile: string;
  readonly logger: Logger;
}

/** Asks other edges, over connections that stay open. */
export interface PeerClient {
  /** The entry, or undefined where there is none. Rejects with NotKept, or where the edge does not answer in time. */
  ask(url: string, partition: number, question: StatusQuestion): Promise<Buffer | undefined>;
  /** Whether the edge keeps all of the partition. */
  keeps(url: string, partition: number): Promise<boolean>;
  stop(): void;
}

/** Longer than an edge waits for Kafka. */
const timeoutMs = 2_500;
const largestAnswer = 16 * 1024 * 1024;
const connections = {
  keepAlive: true,
  maxSockets: 64,
  // Below what the other side allows: no question is sent on a connection that is just being closed.
  timeout: 30_000,
} as const;

export function openPeerClient({ secret, caFile, logger }: PeerClientOptions): PeerClient {
  const http = new HttpAgent(connections);
  const https = reloadingAgent(caFile === '' ? {} : { ca: caFile }, logger, connections);

  const get = (url: string, path: string): Promise<{ readonly status: number; readonly body: Buffer }> =>
    new Promise((resolve, reject) => {
      const secure = url.startsWith('https:');
      const sent = (secure ? httpsRequest : httpRequest)(`${url}${path}`, {
        agent: secure ? https : http,
        headers: { authorization: `Bearer ${secret}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      sent.on('error', reject);
      sent.once('response', (response) => {
        readAnswer(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      sent.end();
    });

  return {
    async ask(url, partition, question) {
      const { status, body } = await get(url, questionPath(partition, question));
      if (status === peerAnswers.entry) return body;
      if (status === peerAnswers.none) return undefined;
      if (status === peerAnswers.notKept) throw new NotKept(partition);
      throw new Error(`${url} answered ${status}`);
    },
    async keeps(url, partition) {
      return (await get(url, keptPath(partition))).status === peerAnswers.none;
    },
    stop() {
      http.destroy();
      https.destroy();
    },
  };
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > largestAnswer) throw new Error('the answer is larger than a status can be');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
