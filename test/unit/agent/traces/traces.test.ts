import assert from 'node:assert/strict';
import { deflateSync, gzipSync } from 'node:zlib';
import { traces } from '../../../../agent/traces/traces.js';
import type { SpanBlock } from '../../../../schemas/otlp/span-block.js';
import { memoryOutbox, startAgentWith } from '../../../support/agent-components.js';
import { haveOtlpPayloads, otlpPayloads, protobufPayloads } from '../../../support/otlp-payloads.js';

const good = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  startTimeUnixNano: '1544712660000000000',
  endTimeUnixNano: '1544712661000000000',
};
const request = (...spans: readonly unknown[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeSpans: [{ spans }],
      },
    ],
  });

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly body: {
    readonly code?: number;
    readonly message?: string;
    readonly partialSuccess?: { readonly rejectedSpans: string; readonly errorMessage: string };
  };
}

describe('the traces endpoint of an agent', () => {
  const outbox = memoryOutbox();
  let agent: Awaited<ReturnType<typeof startAgentWith>>;
  before(async () => {
    agent = await startAgentWith([traces], outbox, { AGENT_BODY_LIMIT_BYTES: 1_000_000 });
  });
  after(() => agent.stop());
  beforeEach(() => {
    outbox.full = false;
    outbox.taken.length = 0;
  });

  async function post(
    body: string | Uint8Array<ArrayBuffer>,
    { path = '/v1/traces', method = 'POST', ...headers }: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(agent.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      headers: response.headers,
      body: JSON.parse(text) as Answer['body'],
    };
  }
  const blocks = (): readonly SpanBlock[] =>
    outbox.taken.flatMap(({ items }) => items as readonly SpanBlock[]);

  it('answers {} once the outbox has every span', async () => {
    const { status, type, body } = await post(request(good, good));
    assert.deepEqual({ status, type, body }, { status: 200, type: 'application/json', body: {} });
    assert.deepEqual(
      outbox.taken.map(({ dataset }) => dataset),
      ['spans'],
    );
    assert.deepEqual(blocks()[0]?.spans.length, 2);
  });

  it('names the application after the path, decoded, and else after the service', async () => {
    await post(request(good), { path: '/apm/b%C3%A4r%2Fzwei%20drei/v1/traces' });
    await post(request(good));
    assert.deepEqual(
      blocks().map(({ application }) => application),
      ['bär/zwei drei', 'shop'],
    );
  });

  it('refuses an invalid application name', async () => {
    for (const name of ['a%00b', 'x'.repeat(201), '%zz', '%ff', '%20%09']) {
      const { status, body } = await post(request(good), { path: `/apm/${name}/v1/traces` });
      assert.deepEqual([status, body.code], [400, 3], name);
    }
    assert.deepEqual(outbox.taken, []);
  });

  it('takes gzip and deflate, and a type in capitals with a charset', async () => {
    const sorts: readonly Record<string, string>[] = [
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'deflate' },
      { 'content-encoding': 'identity' },
      { 'content-type': 'Application/JSON; charset=utf-8' },
    ];
    for (const headers of sorts) {
      const encoding = headers['content-encoding'];
      const body = Buffer.from(request(good));
      const sent = encoding === 'gzip' ? gzipSync(body) : encoding === 'deflate' ? deflateSync(body) : body;
      assert.equal((await post(sent, headers)).status, 200, JSON.stringify(headers));
    }
    assert.equal(blocks().length, 4);
  });

  it('takes the good spans of a batch, and says how many it refused and why', async () => {
    const { status, body } = await post(
      request(good, {}, good, ...Array.from({ length: 9 }, () => ({ ...good, kind: 'X' }))),
    );
    assert.equal(status, 200);
    assert.equal(body.partialSuccess?.rejectedSpans, '10');
    assert.match(body.partialSuccess.errorMessage, /spans\[1\]: traceId .*; and 5 more$/);
    assert.equal(blocks()[0]?.spans.length, 2);
  });

  it('answers a batch without a good span in the same way, and keeps nothing', async () => {
    const { status, body } = await post(request({}));
    assert.deepEqual([status, body.partialSuccess?.rejectedSpans], [200, '1']);
    assert.deepEqual(outbox.taken, []);
  });

  it('answers a malformed request with a google.rpc.Status', async () => {
    for (const [body, reason] of [
      ['', /empty/],
      ['null', /must be a JSON object/],
      ['{"batches":[]}', /no resourceSpans/],
      [request(good) + request(good), /not valid JSON/],
    ] as const) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.type, answer.body.code], [400, 'application/json', 3], body);
      assert.match(answer.body.message ?? '', reason);
    }
  });

  it('refuses protobuf and names the exporter to use', async () => {
    const bodies = [Buffer.from([10, 2, 18, 0]), ...protobufPayloads().map(({ bytes }) => bytes)];
    for (const bytes of bodies) {
      const { status, type, body } = await post(new Uint8Array(bytes), {
        'content-type': 'application/x-protobuf',
      });
      assert.deepEqual([status, type, body.code], [415, 'application/json', 3]);
      assert.match(body.message ?? '', /http\/json.*exporter-trace-otlp-http/s);
    }
  });

  it('refuses types and encodings that it does not know', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'br' }])
      assert.equal((await post(request(good), headers)).status, 415, JSON.stringify(headers));
  });

  it('measures a body before and after inflation', async () => {
    const large = request({ ...good, name: 'x'.repeat(1_000_000) });
    for (const [body, encoding] of [
      [large, 'identity'],
      [gzipSync(large), 'gzip'],
      [deflateSync(Buffer.alloc(100_000_000)), 'deflate'],
    ] as const) {
      const answer = await post(body, { 'content-encoding': encoding });
      assert.deepEqual([answer.status, answer.body.code], [413, 8], encoding);
    }
    assert.equal((await post(gzipSync(large).subarray(0, 500), { 'content-encoding': 'gzip' })).status, 400);
  });

  it('answers another method and another path in the same form', async () => {
    const method = await post('', { method: 'GET' });
    assert.deepEqual(
      [method.status, method.headers.get('allow'), method.body.code],
      [405, 'OPTIONS, POST', 12],
    );
    assert.equal((await post(request(good), { path: '/apm//v1/traces' })).status, 404);
  });

  it('answers 503 with Retry-After if the outbox is full', async () => {
    outbox.full = true;
    const { status, headers, body } = await post(request(good));
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 14, '1']);
  });

  it('counts spans in /metrics and /status', async () => {
    const metrics = await (await fetch(`${agent.url}/metrics`)).text();
    assert.match(metrics, /telltale_agent_spans_total\{outcome="accepted"\} [1-9]/);
    const status = (await (await fetch(`${agent.url}/status`)).json()) as {
      parts: { traces: { accepted: number; rejected: number } };
    };
    assert.ok(status.parts.traces.accepted > 0 && status.parts.traces.rejected > 0);
  });

  it('answers every recorded request of a real client as expected', async function () {
    if (!haveOtlpPayloads()) this.skip();
    for (const { name, bytes } of otlpPayloads()) {
      const { status, body } = await post(new Uint8Array(bytes), { path: '/apm/field/v1/traces' });
      // Java's logging exporter writes resources without the enclosing request.
      const wanted = name.includes('java-logging') ? 400 : 200;
      assert.equal(status, wanted, name);
      if (wanted === 200) assert.deepEqual(body, {}, name);
      else assert.match(body.message ?? '', /Send \{"resourceSpans":\[…\]\}/);
    }
  });
});
