import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A request that is made to cost a server as much as its limits allow. */
export interface HostileRequest {
  readonly name: string;
  readonly server: 'edge' | 'agent';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed; made when it is asked for. */
  readonly body?: () => Buffer;
}

const mebibyte = 1024 * 1024;
const metrics = '/api/v1/monitoring/metrics';

/** JSON of about so many bytes, each shape hard on a parser in its own way. */
const hardJson: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'open lists': (bytes) => '['.repeat(bytes),
  'objects in objects': (bytes) => '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6),
  'empty lists': (bytes) => `[${'[],'.repeat(bytes / 3)}1]`,
  'empty objects': (bytes) => `[${'{},'.repeat(bytes / 3)}1]`,
  numbers: (bytes) => `[${'1e9,'.repeat(bytes / 4)}1]`,
  'one number': (bytes) => `[${'1'.repeat(bytes)}]`,
  'short texts': (bytes) => `[${'"a",'.repeat(bytes / 4)}1]`,
  'names without end': (bytes) => `{${numbered(bytes / 9, (id) => `"${id}":1`)}}`,
  'names that are numbers': (bytes) => `{${numbered(bytes / 14, (_, at) => `"${at * 7_919}":1`)}}`,
  'objects of one name each': (bytes) => `[${numbered(bytes / 13, (id) => `{"${id}":1}`)}]`,
  escapes: (bytes) => `"${'\\u0001'.repeat(bytes / 6)}"`,
  'a wide text': (bytes) => `"${'\u4e00'.repeat(bytes / 3)}"`,
  'white space': (bytes) => ' '.repeat(bytes),
};

function numbered(count: number, of: (id: string, at: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, at) => of(at.toString(36), at)).join(',');
}

type Bodies = Readonly<Record<string, () => string>>;

function* inBodies(
  server: 'edge' | 'agent',
  path: string,
  type: string,
  bodies: Bodies,
  more: () => Readonly<Record<string, string>> = () => ({}),
): Iterable<HostileRequest> {
  for (const [name, text] of Object.entries(bodies))
    yield {
      name: `POST ${path}: ${name}`,
      server,
      method: 'POST',
      path,
      headers: { 'content-type': type, 'content-encoding': 'gzip', ...more() },
      body: () => gzipSync(text(), { level: 1 }),
    };
}

function wholeBodies(bytes: number): Bodies {
  return Object.fromEntries(Object.entries(hardJson).map(([name, json]) => [name, () => json(bytes)]));
}

/** Each shape in a field that nobody reads. */
function inField(bytes: number, around: (json: string) => string): Bodies {
  return Object.fromEntries(
    Object.entries(hardJson).map(([name, json]) => [`${name}, in a field`, () => around(json(bytes - 256))]),
  );
}

function* ofTasks(): Iterable<HostileRequest> {
  const task = (json: string): string => `{"prompt":"a","x":${json}}`;
  const path = `${metrics}/text-metrics/task`;
  yield* inBodies('edge', path, 'application/json', {
    ...wholeBodies(mebibyte - 64),
    ...inField(mebibyte, task),
  });
  const texts = {
    'the longest texts': () =>
      JSON.stringify({ prompt: '😀'.repeat(100_000), response: '\u0001'.repeat(100_000) }),
    'texts over the limit': () => JSON.stringify({ prompt: 'a'.repeat(1_000_000) }),
  };
  yield* inBodies('edge', path, 'application/json', texts, () => ({ 'idempotency-key': randomUUID() }));
  yield* inBodies('edge', '/api/v1/keys', 'application/json', {
    'a wide list': () => `[${'1,'.repeat(500_000)}1]`,
  });
}

function* ofBatches(): Iterable<HostileRequest> {
  const path = `${metrics}/task/batch`;
  const bytes = 4 * mebibyte - 64;
  const requests = (of: string): string[] => Array.from({ length: 1_000 }, () => of);
  const long = `{"prompt":"${'a'.repeat(4_000)}"}`;
  const wide = `{"prompt":"${'\u4e00\\n'.repeat(800)}","response":"b"}`;
  const wrong = `{"prompt":1,"response":[],"metric":"${'x'.repeat(1_000)}"}`;
  const key = () => ({ 'idempotency-key': randomUUID() });
  yield* inBodies('edge', path, 'application/x-ndjson', {
    'open braces': () => '{\n'.repeat(2_097_000),
    'empty lines': () => '\n'.repeat(bytes),
    'blank lines': () => ' \r\n'.repeat(bytes / 3),
    'one blank line': () => ' '.repeat(bytes),
    'a thousand lines of names without end': () =>
      requests(hardJson['names without end']?.(4_100) ?? '').join('\n'),
    'a thousand lines of lists in lists': () => requests('['.repeat(2_000) + ']'.repeat(2_000)).join('\n'),
    ...inField(bytes, (json) => `{"prompt":"a","x":${json}}`),
  });
  yield* inBodies(
    'edge',
    path,
    'application/json',
    inField(bytes, (json) => `[{"prompt":"a","x":${json}}]`),
  );
  const full = { long, wide, wrong };
  for (const [name, request] of Object.entries(full)) {
    yield* inBodies(
      'edge',
      path,
      'application/json',
      { [`a thousand ${name}`]: () => `[${requests(request).join()}]` },
      key,
    );
    yield* inBodies(
      'edge',
      path,
      'application/x-ndjson',
      { [`a thousand ${name}`]: () => requests(request).join('\n') },
      key,
    );
  }
}

function* ofEvents(): Iterable<HostileRequest> {
  const many = (event: object): string => JSON.stringify(Array.from({ length: 1_000 }, () => event));
  const name = '😀'.repeat(60);
  const bodies = {
    'a thousand events': () =>
      many({ metric: name, type: 'gauge', value: 1.5, cluster: name, timestamp: new Date().toISOString() }),
    'a thousand wrong events': () =>
      many({ metric: 1, type: name, value: 'x', cluster: 2, timestamp: 'never' }),
    'a million events': () => `[${'{},'.repeat(300_000)}{}]`,
    ...inField(mebibyte - 64, (json) => `[{"x":${json}}]`),
  };
  yield* inBodies('edge', '/', 'application/json', bodies, () => ({ 'idempotency-key': randomUUID() }));
  yield* inBodies('agent', '/events', 'application/json', {
    ...bodies,
    ...inField(4 * mebibyte, (json) => `[{"x":${json}}]`),
  });
}

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

function* ofAgentBatches(): Iterable<HostileRequest> {
  const bytes = 16 * mebibyte - 64;
  const one = (): Readonly<Record<string, string>> => ({ 'batch-id': `${randomUUID()}/1` });
  const lines: Bodies = {
    'empty lines': () => '\n'.repeat(bytes),
    'blank lines': () => ' \n'.repeat(bytes / 2),
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
      'one block of many traces': () => block(100_000, (at) => span(at)),
      'one trace of many spans': () => block(100_000, (at) => span(0, { name: `span ${at}` })),
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

function* ofTraces(): Iterable<HostileRequest> {
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
    'as many wrong spans as fit': () => request(many(bytes / 3, '{}')),
    'spans of times that are numbers': () =>
      request(many(bytes / 150, `${otlp},"startTimeUnixNano":1700000000000000001,"endTimeUnixNano":1e18}`)),
    'a span of many attributes': () => request(`[${otlp},"attributes":${many(bytes / 42, attribute)}}]`),
    'a resource of many attributes': () =>
      request(`[${otlp}}]`, `{"attributes":${many(bytes / 42, attribute)}}`),
    'many scopes': () => `{"resourceSpans":[{"scopeSpans":${many(bytes / 4, '{}')}}]}`,
    'many resources': () => `{"resourceSpans":${many(bytes / 4, '{}')}}`,
    'half surrogates': () => request(`[${otlp},"x":"${'\\ud800'.repeat(bytes / 6 - 100)}"}]`),
  });
}

function* ofHeads(): Iterable<HostileRequest> {
  const get = (server: 'edge' | 'agent', path: string, headers: Readonly<Record<string, string>> = {}) => ({
    name: `GET ${path.slice(0, 60)} ${Object.keys(headers).join()}`,
    server,
    method: 'GET' as const,
    path,
    headers,
  });
  const long = 12_000;
  for (const server of ['edge', 'agent'] as const) {
    yield get(server, `/?${'a=1&'.repeat(long / 4)}`);
    yield get(server, `/?metric=${'%'.repeat(long)}`);
    yield get(server, `/?metric=${'%41'.repeat(long / 3)}&type=gauge&value=${'9'.repeat(500)}`);
    yield get(server, `/?value=${'1'.repeat(long)}x&metric=a&type=gauge`);
    yield get(server, '/'.repeat(long));
    yield get(server, `/apm/${'%41'.repeat(long / 3)}/v1/traces`);
  }
  yield get('edge', `/api/v1/clusters/x/indices?cursor=${'A'.repeat(long)}&search=${'%'.repeat(100)}`);
  yield get('edge', `${metrics}/task/${'a'.repeat(long)}/status`);
  const headers: Readonly<Record<string, string>> = {
    prefer: `${', wait ='.repeat(500)}${' '.repeat(long - 4_500)}`,
    authorization: `Bearer tt_${'_'.repeat(long)}`,
    'x-request-id': 'a'.repeat(long),
    'content-type': `application/json;${'charset=utf-8;'.repeat(long / 14)}`,
    'idempotency-key': 'a'.repeat(long),
  };
  for (const [name, value] of Object.entries(headers))
    yield {
      ...get('edge', `${metrics}/text-metrics`, { [name]: value }),
      method: 'POST',
      body: () => gzipSync('{}'),
    };
}

/** Every input that is known to be hard on edge or agent. */
export function* hostileCorpus(): Iterable<HostileRequest> {
  yield* ofHeads();
  yield* ofTasks();
  yield* ofBatches();
  yield* ofEvents();
  yield* ofAgentBatches();
  yield* ofTraces();
}
