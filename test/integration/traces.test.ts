import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { blockOf } from '../../http-edge/traces/span-rows.js';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { readTraces } from '../../schemas/otlp/read-request.js';
import { agentRole } from '../support/agent-role.js';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import { exportFromPython, pythonClient } from '../support/python-client.js';
import type { Role } from '../support/roles.js';
import { spanBySpan, storedSpans } from '../support/stored-spans.js';

/** Spans that use every feature of the Node.js SDK. */
function makeSpans(provider: NodeTracerProvider): void {
  const tracer = provider.getTracer('lib', '0.1');
  const root = tracer.startSpan('GET /', { kind: SpanKind.SERVER, root: true });
  root.setAttributes({
    s: 'x',
    b: true,
    i: 42,
    d: 1.5,
    big: Number.MAX_SAFE_INTEGER,
    list: ['x', 'y'],
    e: '',
  });
  const child = tracer.startSpan(
    'query \u{1f600} "quoted"',
    { kind: SpanKind.CLIENT, links: [{ context: root.spanContext(), attributes: { why: 'test' } }] },
    trace.setSpan(context.active(), root),
  );
  child.addEvent('cache miss', { key: 'k', tries: 3 });
  child.recordException(new Error('boom'));
  child.setStatus({ code: SpanStatusCode.ERROR, message: 'boom' });
  child.end();
  root.setStatus({ code: SpanStatusCode.OK });
  root.end();
}

describe('traces of real clients', function () {
  let pipeline: Pipeline;
  let agent: Role;
  let clickhouse: ClickHouse;
  before(async () => {
    pipeline = await sharedPipeline('traces');
    agent = await agentRole(pipeline);
    await agent.start();
    const { url, writer } = pipeline.stack.clickhouse;
    clickhouse = connectClickHouse({ url, ...writer });
  });
  after(async () => {
    await agent.stop();
    await clickhouse.close();
    await pipeline.stop();
  });

  async function stored(application: string, spans: number): ReturnType<typeof storedSpans> {
    for (;;) {
      const found = await storedSpans(clickhouse, `application = '${application}'`);
      if (found.length >= spans) return found;
      await sleep(100);
    }
  }

  for (const compression of [CompressionAlgorithm.NONE, CompressionAlgorithm.GZIP])
    it(`arrive with every field from the SDK of Node.js (${compression})`, async () => {
      const application = `js-${compression}`;
      const kept = new InMemorySpanExporter();
      const provider = new NodeTracerProvider({
        resource: resourceFromAttributes({
          'service.name': 'js-shop',
          'service.version': '1.2.3',
          n: [1, 2],
        }),
        spanProcessors: [
          new BatchSpanProcessor(
            new JsonExporter({ url: `${agent.url}/apm/${application}/v1/traces`, compression }),
          ),
          new SimpleSpanProcessor(kept),
        ],
      });
      makeSpans(provider);
      await provider.forceFlush();
      const spans: ReadableSpan[] = kept.getFinishedSpans();
      const rows = await stored(application, spans.length);
      await provider.shutdown();
      const sent = readTraces(Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []), application);
      assert.equal(sent.accepted, 2);
      assert.deepEqual(spanBySpan(rows.map(blockOf)), spanBySpan(sent.blocks));
      const child = rows.find(({ SpanKind: kind }) => kind === 'Client');
      const [of] = spans;
      assert.deepEqual(
        [
          child?.TraceId,
          child?.SpanId,
          child?.SpanName,
          child?.StatusCode,
          child?.StatusMessage,
          child?.workspace,
        ],
        [of?.spanContext().traceId, of?.spanContext().spanId, of?.name, 'Error', 'boom', 'traces'],
      );
      assert.deepEqual(
        [child?.ServiceName, child?.events.map(([, name]) => name)],
        ['js-shop', ['cache miss', 'exception']],
      );
    });

  it('arrive with every field from the JSON exporter of Python, named after their service', async function () {
    const client = await pythonClient();
    if ('missing' in client) {
      console.log(`    skipped: ${client.missing}`);
      this.skip();
    }
    const [traceId, rootId] = await exportFromPython(client.path, `${agent.url}/v1/traces`);
    const rows = await stored('py-shop', 2);
    const root = rows.find(({ SpanName }) => SpanName === 'root');
    const child = rows.find(({ SpanName }) => SpanName === 'child');
    assert.deepEqual(
      [root?.TraceId, root?.SpanId, root?.ParentSpanId, root?.SpanKind],
      [traceId, rootId, '', 'Server'],
    );
    assert.deepEqual(root?.span, [
      [
        ['i', 'd', 'b', 'list', 'text'],
        [String(2n ** 62n + 1n), '0.5', 'true', '["x","y"]', 'zé'],
      ],
      'idba(ss)s',
    ]);
    assert.deepEqual(
      root.events.map(([, name, of]) => [name, of]),
      [['happened', [['k'], ['v']]]],
    );
    assert.deepEqual(
      [child?.ParentSpanId, child?.StatusCode, child?.StatusMessage],
      [rootId, 'Error', 'boom'],
    );
    assert.deepEqual(
      child?.links.map(([trace_id, span_id, , of]) => [trace_id, span_id, of]),
      [[traceId, rootId, [['why'], ['test']]]],
    );
    assert.deepEqual([root.ScopeName, root.ScopeVersion, root.workspace], ['scope', '2.0', 'traces']);
  });

  it('in protobuf are refused, and the exporter says which format to use', async () => {
    const kept = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(kept)] });
    makeSpans(provider);
    const exporter = new ProtobufExporter({ url: `${agent.url}/apm/protobuf/v1/traces` });
    const error = await new Promise<Error | undefined>((resolve) =>
      exporter.export(kept.getFinishedSpans(), (result) => resolve(result.error)),
    );
    await exporter.shutdown();
    assert.equal((error as { code?: number } | undefined)?.code, 415);
    assert.match(String((error as { data?: string } | undefined)?.data), /http\/json/);
  });

  it('leave an audit without duplicates and gaps', async () => {
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0, expired: 0 });
  });
});
