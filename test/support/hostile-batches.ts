import { randomUUID } from 'node:crypto';
import { dense, inBodies, inField, mebibyte, type Bodies, type HostileRequest } from './hostile-bodies.js';

const span = (at: number, more: object = {}): object => ({
  trace_id: (at + 1).toString(16).padStart(32, '0'),
  span_id: (at + 1).toString(16).padStart(16, '0'),
  start: '1700000000000000000',
  end: '1700000000000000001',
  ...more,
});
const block = (count: number, of: (at: number) => object): string =>
  JSON.stringify({ application: 'shop', spans: Array.from({ length: count }, (_, at) => of(at)) });

function snapshot(
  indices: number,
  index = (at: number): object => ({
    ...{ index: `index-${at}`, uuid: `uuid-${at}`, health: 'green', state: 'open' },
    ...{ primaries: 1, replicas: 1, docs_count: at, docs_deleted: 0, store_bytes: at },
  }),
): string {
  const slot = Math.floor(Date.now() / 60_000) * 60_000;
  return JSON.stringify({
    cluster_uuid: 'ZPqtMNDPRMSUuCkhIX8ZPQ',
    section: 'indices',
    slot,
    interval_seconds: 60,
    collection: 'c',
    taken_at: slot,
    took_ms: 1,
    part: 1,
    parts: 1,
    body: {
      indices: Array.from({ length: indices }, (_, at) => index(at)),
    },
  });
}

export function* ofAgentBatches(): Iterable<HostileRequest> {
  const bytes = 16 * mebibyte - 64;
  const one = (): Readonly<Record<string, string>> => ({ 'batch-id': `${randomUUID()}/1` });
  const lines: Bodies = {
    'empty lines': () => '\n'.repeat(dense),
    'blank lines': () => ' \n'.repeat(dense / 2),
    'lines that are no JSON': () => 'x\n'.repeat(bytes / 2),
    ...inField(bytes, (json) => `{"x":${json}}`),
  };
  yield* inBodies('edge', '/api/v1/agent/spans', 'application/x-ndjson', lines, one);
  const short = inField(64 * 1024, (json) => `{"x":${json}}`);
  yield* inBodies('edge', '/api/v1/agent/slow-operations', 'application/x-ndjson', short, one);
  const shortest = (): object => ({ index: 'i' });
  const snapshots = {
    'snapshots of as many indices as fit': () => `${snapshot(5_000)}\n`.repeat(16),
    'a snapshot of as many of the shortest indices as a line takes': () => snapshot(10_000, shortest),
    'a snapshot of the shortest indices that is short': () => snapshot(4_500, shortest),
    'a snapshot of more of the shortest indices than are taken': () => snapshot(70_000, shortest),
  };
  yield* inBodies('edge', '/api/v1/agent/snapshots', 'application/x-ndjson', snapshots, one);
  yield* inBodies(
    'edge',
    '/api/v1/agent/events',
    'application/x-ndjson',
    {
      'as many events as fit': () => '{"metric":"a","type":"increment"}\n'.repeat(bytes / 34),
    },
    one,
  );
  yield* inBodies(
    'edge',
    '/api/v1/agent/spans',
    'application/x-ndjson',
    {
      'one block of many traces': () => block(30_000, (at) => span(at)),
      'one trace of many spans': () => block(30_000, (at) => span(0, { name: `span ${at}` })),
      'blocks of 500 traces': () =>
        Array.from({ length: 100 }, () => block(500, (at) => span(at))).join('\n'),
      'a span of many attributes': () =>
        block(1, () =>
          span(1, {
            attributes: {
              types: 's'.repeat(500_000),
              keys: Array<string>(500_000).fill('k'),
              values: Array<string>(500_000).fill(''),
            },
          }),
        ),
      'a span of many events': () =>
        block(1, () => span(1, { events: Array.from({ length: 200_000 }, () => ({ time: '1' })) })),
    },
    one,
  );
}

export function* ofTraces(): Iterable<HostileRequest> {
  const bytes = 16 * mebibyte - 512;
  const path = '/v1/traces';
  const request = (spans: string, resource = '{}'): string =>
    `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"spans":${spans}}]}]}`;
  const otlp = '{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"n"';
  const many = (count: number, text: string): string =>
    `[${Array<string>(Math.floor(count)).fill(text).join()}]`;
  const attribute = '{"key":"k","value":{"stringValue":"v"}}';
  yield* inBodies('agent', '/apm/shop/v1/traces', 'application/json', inField(64 * 1024, request));
  yield* inBodies('agent', path, 'application/json', {
    ...inField(bytes, (json) => request(json)),
    'as many spans as fit': () => request(many(bytes / 90, `${otlp}}`)),
    'a million wrong spans': () => request(many(dense / 3, '{}')),
    'spans of times that are numbers': () =>
      request(many(bytes / 150, `${otlp},"startTimeUnixNano":1700000000000000001,"endTimeUnixNano":1e18}`)),
    'a span of many attributes': () => request(`[${otlp},"attributes":${many(bytes / 42, attribute)}}]`),
    'a resource of many attributes': () =>
      request(`[${otlp}}]`, `{"attributes":${many(bytes / 42, attribute)}}`),
    'many scopes': () => `{"resourceSpans":[{"scopeSpans":${many(dense / 4, '{}')}}]}`,
    'many resources': () => `{"resourceSpans":${many(dense / 4, '{}')}}`,
    'half surrogates': () => request(`[${otlp},"x":"${'\\ud800'.repeat(bytes / 6 - 100)}"}]`),
  });
}
