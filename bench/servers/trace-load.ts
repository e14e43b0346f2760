import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { readTraces } from '../../schemas/otlp/read-request.js';

/** The load that the generator of trace requests, a separate process, sends. */
export interface TraceLoad {
  readonly url: string;
  /** OTLP/JSON as clients send it, or batches as an agent sends them. */
  readonly form: 'otlp' | 'batches';
  readonly key?: string;
  readonly spans: number;
  readonly gzip: boolean;
  readonly connections: number;
  readonly seconds: number;
}

export interface TraceLoadResult {
  readonly spans: number;
  readonly bad: number;
  readonly p50: number;
  readonly p99: number;
}

/** Different bodies, sent in turn. */
const bodies = 16;
const attributes = 10;

/** A request with this many spans of ten attributes each, each span in a trace of its own. */
export function otlpBody(spans: number): string {
  const id = (bytes: number): string => randomBytes(bytes).toString('hex');
  const value = (at: number): object => {
    if (at % 4 === 0) return { stringValue: `some value ${Math.floor(Math.random() * 1_000)}` };
    if (at % 4 === 1) return { intValue: String(Math.floor(Math.random() * 600)) };
    return at % 4 === 2 ? { boolValue: true } : { doubleValue: Number(Math.random().toFixed(3)) };
  };
  const span = (): object => ({
    traceId: id(16),
    spanId: id(8),
    parentSpanId: id(8),
    name: 'GET /api/orders/{id}',
    kind: 2,
    startTimeUnixNano: '1795245546557000000',
    endTimeUnixNano: '1795245546557576868',
    attributes: Array.from({ length: attributes }, (_, at) => ({
      key: `http.attribute.${at}`,
      value: value(at),
    })),
    events: [],
    links: [],
    status: { code: 1 },
    flags: 257,
  });
  const resource = {
    attributes: [
      { key: 'service.name', value: { stringValue: 'load' } },
      { key: 'service.version', value: { stringValue: '1.0.0' } },
    ],
  };
  const scopeSpans = [{ scope: { name: 'lib', version: '1' }, spans: Array.from({ length: spans }, span) }];
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
}

function bodyOf({ form, spans, gzip }: TraceLoad): Buffer {
  const otlp = Buffer.from(otlpBody(spans));
  if (form === 'otlp') return gzip ? gzipSync(otlp) : otlp;
  const lines = readTraces(otlp).blocks.map((block) => JSON.stringify(block));
  return gzipSync(`${lines.join('\n')}\n`, { level: 1 });
}

process.on('message', (load: TraceLoad) => {
  void run(load).then((result) => process.send?.(result));
});

async function run(load: TraceLoad): Promise<TraceLoadResult> {
  const ready = Array.from({ length: bodies }, () => bodyOf(load));
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const latencies: number[] = [];
  let bad = 0;
  const ends = performance.now() + load.seconds * 1_000;
  const connection = async (number: number): Promise<void> => {
    const spool = randomUUID();
    for (let sequence = 0; performance.now() < ends; sequence++) {
      const body = ready[(number + sequence) % bodies] ?? Buffer.alloc(0);
      const started = performance.now();
      const status = await post(load, agent, body, `${spool}/${sequence}`).catch(() => 0);
      if (status === 200) latencies.push(performance.now() - started);
      else bad += 1;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, (_, number) => connection(number)));
  agent.destroy();
  const sorted = latencies.sort((a, b) => a - b);
  const quantile = (q: number): number => sorted[Math.floor(sorted.length * q)] ?? NaN;
  return { spans: sorted.length * load.spans, bad, p50: quantile(0.5), p99: quantile(0.99) };
}

function post(
  { url, form, key, gzip }: TraceLoad,
  agent: Agent,
  body: Buffer,
  batch: string,
): Promise<number> {
  const headers =
    form === 'otlp'
      ? { 'content-type': 'application/json', ...(gzip ? { 'content-encoding': 'gzip' } : {}) }
      : {
          'content-type': 'application/x-ndjson',
          'content-encoding': 'gzip',
          authorization: `Bearer ${key ?? ''}`,
          'batch-id': batch,
        };
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
