import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { eventsComponent } from '../../agent/events/events-component.js';
import { connectionTestComponent } from '../../agent/integration/connection-test-component.js';
import { traces } from '../../agent/traces/traces.js';
import type { OpenApiDocument } from '../../schemas/openapi/document-types.js';
import { memoryOutbox, startAgentWith } from '../support/agent-components.js';
import { createDocumentChecker, type DocumentChecker } from './document-checker.js';
import { createWireClient, type WireClient, type WireRequest } from './http-client.js';

/** Requests to one path of the document, good and bad. */
interface Case {
  readonly pattern: string;
  readonly wire: WireRequest;
}

const json = { 'content-type': 'application/json' };
const event = fc.record(
  {
    metric: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('orders', '')),
    type: fc.constantFrom('increment', 'gauge', 'percentage', 'systembyte', 'distribution', 'nonsense'),
    value: fc.oneof(fc.double(), fc.constantFrom(-1, 50, 101, '3')),
    timestamp: fc.constantFrom('now', null),
  },
  { requiredKeys: ['metric', 'type'] },
);
const span = fc.record({
  traceId: fc.constantFrom('0af7651916cd43dd8448eb211c80319c', '0', ''),
  spanId: fc.constantFrom('b7ad6b7169203331', 'zz'),
  name: fc.string({ maxLength: 5 }),
  startTimeUnixNano: fc.constantFrom('1544712660000000000', 'x'),
  endTimeUnixNano: fc.constant('1544712661000000000'),
});
const traceBody = fc
  .array(span, { maxLength: 3 })
  .map((spans) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));

const bodyOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 4, arbitrary: value.map((given) => Buffer.from(JSON.stringify(given))) },
    { weight: 1, arbitrary: fc.constantFrom('', '{', 'null', '[]', '"x"').map((text) => Buffer.from(text)) },
  );
const headers = fc.oneof(
  { weight: 5, arbitrary: fc.constant(json) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>[]>(
      {},
      { 'content-type': 'application/x-protobuf' },
      { ...json, 'content-encoding': 'gzip' },
      { ...json, 'content-encoding': 'br' },
      { ...json, 'x-request-id': 'mine' },
    ),
  },
);
const post = (pattern: string, path: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Case> =>
  fc
    .record({ headers, body: bodyOf(value) })
    .map((given) => ({ pattern, wire: { method: 'POST', path, ...given } }));
const get = (pattern: string, path = pattern): Case => ({
  pattern,
  wire: { method: 'GET', path, headers: {}, body: undefined },
});

const requests = fc.oneof(
  post('/events', '/events', fc.oneof(event, fc.array(event, { maxLength: 3 }), fc.json())),
  post('/v1/traces', '/v1/traces', fc.oneof(traceBody, fc.jsonValue())),
  post('/apm/{app_name}/v1/traces', '/apm/check%20out/v1/traces', traceBody),
  fc.constantFrom(
    get('/'),
    get('/', '/?method=increment&metric=orders'),
    get('/', '/?type=gauge&metric=orders&value=x'),
    ...['/livez', '/readyz', '/metrics', '/openapi.json', '/status'].map((path) => get(path)),
  ),
);

describe('the agent keeps to the OpenAPI document that it serves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-agent-'));
  const file = join(folder, 'integration.json');
  const outbox = memoryOutbox();
  let agent: Awaited<ReturnType<typeof startAgentWith>>;
  let client: WireClient;
  let checker: DocumentChecker;

  const check = async ({ pattern, wire }: Case, ...statuses: number[]): Promise<void> => {
    const answer = await client.send(wire);
    const problems = checker.problemsOf(wire.method.toLowerCase(), pattern, answer);
    const said = `${wire.method} ${wire.path} ${wire.body?.toString().slice(0, 200) ?? ''} → ${answer.status} ${answer.body.toString().slice(0, 300)}`;
    assert.deepEqual(problems, [], said);
    if (statuses.length > 0) assert.ok(statuses.includes(answer.status), said);
  };

  before(async () => {
    agent = await startAgentWith([eventsComponent, traces, connectionTestComponent], outbox, {
      AGENT_INTEGRATION_FILE: file,
    });
    client = createWireClient(agent.url);
    const answer = await client.send(get('/openapi.json').wire);
    checker = createDocumentChecker(JSON.parse(answer.body.toString()) as OpenApiDocument);
  });

  after(async () => {
    client.close();
    await agent.stop();
    rmSync(folder, { recursive: true });
  });

  it('whatever is sent to it', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 0, max: 9 }), async (given, fullness) => {
        outbox.full = fullness === 0;
        await check(given);
      }),
      { numRuns: 600 },
    );
    outbox.full = false;
  });

  it('in the connection test, without a file, with a bad one and with good ones', async () => {
    const test = {
      ...get('/integrations/elasticsearch/test'),
      wire: { ...get('/integrations/elasticsearch/test').wire, method: 'POST' },
    };
    const both = [test, get('/integrations/elasticsearch/hot-threads')];
    for (const given of both) await check(given, 404);
    writeFileSync(file, '{"service": "elasticsearch"');
    for (const given of both) await check(given, 422);
    const closed = { service: 'elasticsearch', host: '127.0.0.1', port: '1', requestTimeoutMs: 500 };
    for (const content of [closed, [closed, closed]]) {
      writeFileSync(file, JSON.stringify(content));
      for (const given of both) await check(given, 200);
    }
  });

  it('for unknown paths and methods', async () => {
    const unknown = await client.send(get('/no/such/path').wire);
    assert.deepEqual([unknown.status, checker.problemsOfComponent('NotFound', unknown)], [404, []]);
    const method = await client.send({ ...get('/events').wire, method: 'DELETE' });
    assert.deepEqual([method.status, checker.problemsOfComponent('MethodNotAllowed', method)], [405, []]);
  });
});
