import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Problem, problemBody, type ProblemKind } from '../../runtime/http/problem.js';
import { agentsPath } from '../../schemas/agent-report.js';
import type { Dataset } from '../../agent/component.js';
import type { Batch } from '../../agent/spool/sender.js';
import { BatchServer, itemsOf } from './batch-server.js';

/** The stub's answer instead of accepting the batch. */
export interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Accept the batch first, as if the edge's answer was lost. */
  readonly taken?: boolean;
  /** Cut the connection. */
  readonly cut?: boolean;
}

/** The edge's own answer, which an agent distinguishes from that of a proxy in front of it. */
export function refusal(kind: ProblemKind, detail: string): StubAnswer {
  const problem = new Problem(kind, detail);
  return { status: problem.status, body: problemBody(problem, '/', 'a-request') };
}

/** A stand-in for the edge: it accepts batches as the edge promises, unless a test decides otherwise. */
export class StubServer {
  readonly memory = new BatchServer();
  readonly batches: Batch[] = [];
  readonly keys: (string | undefined)[] = [];
  connections = 0;
  url = '';
  /** The answer to an agent that asks, by a batch without an id, whether the edge accepts a dataset. */
  asked: (dataset: Dataset) => StubAnswer = () =>
    refusal(
      'malformed-request',
      '`Batch-Id` must be `<spool uuid>/<sequence>`, the sequence a whole number.',
    );
  /** Called for each batch; undefined accepts it. */
  answer: (batch: Batch) => StubAnswer | undefined = () => undefined;
  private readonly server: Server = createServer((request, response) => {
    void this.take(request).then(({ status, headers = {}, body = '{}', cut }) => {
      if (cut === true) request.socket.destroy();
      else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });

  async start(port = 0): Promise<void> {
    this.server.keepAliveTimeout = 0; // clients close idle connections, the stub never does
    this.server.on('connection', () => (this.connections += 1));
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stored(dataset: Dataset): readonly object[] {
    return this.memory.stored.get(dataset) ?? [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage): Promise<StubAnswer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    if (request.url === agentsPath) return { status: 204, body: '' };
    const body = sent.length === 0 ? sent : gunzipSync(sent);
    const dataset = (request.url ?? '').split('/').at(-1) as Dataset;
    if (request.headers['batch-id'] === undefined) return this.asked(dataset);
    const partial = { dataset, id: String(request.headers['batch-id']), body, damaged: false };
    const batch: Batch = { ...partial, items: body.toString().split('\n').length - 1 };
    this.batches.push(batch);
    this.keys.push(request.headers.authorization);
    const told = this.answer(batch);
    if (told !== undefined && told.taken !== true) return told;
    const outcome = this.memory.take(batch);
    if (told !== undefined) return told;
    if (outcome === 'conflict') return refusal('conflict', 'another spool uses this id');
    const accepted = itemsOf(batch).length;
    return { status: 200, body: JSON.stringify({ accepted, rejected: [], rejected_count: 0 }) };
  }
}
