import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { blockOf } from '../../../http-edge/traces/span-rows.js';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { audit } from '../../../runtime/clickhouse/audit.js';
import { readTraces } from '../../../schemas/otlp/read-request.js';
import { spansSink } from '../../../sinks/spans/index.js';
import { migrateTables } from '../../support/applied.js';
import { otlpRequest } from '../../support/otlp-arbitrary.js';
import { otlpPayloads } from '../../support/otlp-payloads.js';
import { insertSpans } from '../../support/span-rows.js';
import { theStack } from '../../support/stack.js';
import { spanBySpan, storedSpans } from '../../support/stored-spans.js';

describe('rows of spans', function () {
  let clickhouse: ClickHouse;
  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  });
  after(() => clickhouse.close());

  async function insert(bodies: readonly Buffer[]): Promise<string> {
    const topic = `spans-${randomUUID()}`;
    for (let twice = 0; twice < 2; twice++) await insertSpans(clickhouse, bodies, topic, topic);
    return `_topic = '${topic}'`;
  }

  it('keep all of random OTLP: converted back to OTLP, they equal what was sent', async () => {
    const bodies = fc.sample(otlpRequest, 300).map((request) => Buffer.from(JSON.stringify(request)));
    const stored = await storedSpans(clickhouse, await insert(bodies));
    const sent = spanBySpan(bodies.flatMap((body) => readTraces(body).blocks));
    assert.ok(sent.length > 500);
    assert.deepEqual(spanBySpan(stored.map(blockOf)), sent);
  });

  it('keep everything that clients in the field send', async function () {
    const bodies = otlpPayloads()
      .filter(({ name }) => !name.includes('java-logging'))
      .map(({ bytes }) => bytes);
    if (bodies.length === 0) this.skip();
    const stored = await storedSpans(clickhouse, await insert(bodies));
    assert.deepEqual(
      spanBySpan(stored.map(blockOf)),
      spanBySpan(bodies.flatMap((body) => readTraces(body).blocks)),
    );
  });

  it('match the Collector and its readers: names, kinds, a duration, and a time range for each trace', async () => {
    const traceId = '5b8efff798038103d269b633813fc60c';
    const span = (id: string, startTimeUnixNano: string, endTimeUnixNano: string) => ({
      traceId,
      spanId: id,
      name: 'GET /',
      kind: 2,
      startTimeUnixNano,
      endTimeUnixNano,
      status: { code: 2 },
      attributes: [
        { key: 'n', value: { intValue: '9223372036854775807' } },
        { key: 'ok', value: { boolValue: true } },
        { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: 1 }] } } },
      ],
    });
    const spans = [
      span('eee19b7ec3c1b174', '1544712660000000001', '1544712661000000003'),
      span('eee19b7ec3c1b175', '1544712670000000000', '1544712669000000000'),
    ];
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
    const where = await insert([
      Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })),
    ]);
    const rows = await clickhouse.query<object>(
      `SELECT ServiceName, SpanName, SpanKind, StatusCode, toString(Timestamp) AS Timestamp, toString(Duration) AS Duration,
         SpanAttributes, application, workspace FROM telltale.otel_traces WHERE ${where} AND SpanId LIKE '%174'`,
    );
    assert.deepEqual(rows, [
      {
        ServiceName: 'shop',
        SpanName: 'GET /',
        SpanKind: 'Server',
        StatusCode: 'Error',
        Timestamp: '2018-12-13 14:51:00.000000001',
        Duration: '1000000002',
        SpanAttributes: { n: '9223372036854775807', ok: 'true', list: '["a",1]' },
        application: 'shop',
        workspace: 'acme',
      },
    ]);
    const [backwards] = await storedSpans(clickhouse, `${where} AND SpanId LIKE '%175'`);
    assert.deepEqual([backwards?.Duration, backwards?.end], ['0', '1544712669000000000']);
    const range = await clickhouse.query<object>(
      `SELECT min(Start) AS Start, max(End) AS End FROM telltale.otel_traces_trace_id_ts WHERE TraceId = '${traceId}'`,
    );
    assert.deepEqual(range, [{ Start: '2018-12-13 14:51:00', End: '2018-12-13 14:51:10' }]);
  });

  it('of a thousand days in one request are one insert, and one part', async () => {
    const day = 86_400_000_000_000n;
    const spans = Array.from({ length: 1_000 }, (_, index) => ({
      traceId: (index + 1).toString(16).padStart(32, '0'),
      spanId: 'eee19b7ec3c1b174',
      startTimeUnixNano: String(BigInt(index * 90) * day),
      endTimeUnixNano: String(BigInt(index * 90) * day),
    }));
    const where = await insert([
      Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })),
    ]);
    assert.equal((await storedSpans(clickhouse, where)).length, 1_000);
    assert.deepEqual(await audit(clickhouse, [spansSink]), { duplicates: 0, gaps: 0, expired: 0 });
  });

  it('have the columns of the Collector by name, type and order', async () => {
    const found = await clickhouse.query<{ name: string; type: string }>(
      `SELECT name, type FROM system.columns WHERE database = 'telltale' AND table = 'otel_traces' ORDER BY position LIMIT 22`,
    );
    const map = 'Map(LowCardinality(String), String)';
    assert.deepEqual(
      found.map(({ name, type }) => [name, type]),
      [
        ['Timestamp', 'DateTime64(9)'],
        ['TraceId', 'String'],
        ['SpanId', 'String'],
        ['ParentSpanId', 'String'],
        ['TraceState', 'String'],
        ['SpanName', 'LowCardinality(String)'],
        ['SpanKind', 'LowCardinality(String)'],
        ['ServiceName', 'LowCardinality(String)'],
        ['ResourceAttributes', map],
        ['ScopeName', 'String'],
        ['ScopeVersion', 'String'],
        ['SpanAttributes', map],
        ['Duration', 'UInt64'],
        ['StatusCode', 'LowCardinality(String)'],
        ['StatusMessage', 'String'],
        ['Events.Timestamp', 'Array(DateTime64(9))'],
        ['Events.Name', 'Array(LowCardinality(String))'],
        ['Events.Attributes', `Array(${map})`],
        ['Links.TraceId', 'Array(String)'],
        ['Links.SpanId', 'Array(String)'],
        ['Links.TraceState', 'Array(String)'],
        ['Links.Attributes', `Array(${map})`],
      ],
    );
  });
});
