import assert from 'node:assert/strict';
import { ofFiltered } from '../../../../http-edge/clusters/cursors.js';
import { pageOf } from '../../../../http-edge/clusters/page.js';
import { queryOf } from '../../../../http-edge/clusters/query.js';
import { boundedRangeOf } from '../../../../http-edge/results/result-query.js';
import { storedTraces } from '../../../../http-edge/traces/stored-traces.js';
import { afterSpan, afterTraceSpan, spanFilterOf } from '../../../../http-edge/traces/trace-query.js';
import type { TraceReader } from '../../../../http-edge/traces/trace-reader.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { readTraces } from '../../../../schemas/otlp/read-request.js';
import { migrateTables } from '../../../support/applied.js';
import { insertSpans } from '../../../support/span-rows.js';
import { theStack } from '../../../support/stack.js';
import { spanBySpan } from '../../../support/stored-spans.js';

const begin = BigInt(Date.now() - 3_600_000) * 1_000_000n;
const traceOf = (number: number): string => `c0ffee${number.toString(16).padStart(26, '0')}`;
const numberOf = (trace: string): number => Number.parseInt(trace.slice(6), 16);
const idOf = (number: number): string => number.toString(16).padStart(16, '0');
const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });

interface Sent {
  readonly trace: number;
  readonly id: number;
  readonly parent?: number;
  /** Milliseconds after the first span. */
  readonly at: number;
  readonly ms: number;
  readonly more?: object;
}

const spanOf = ({ trace, id, parent, at, ms, more }: Sent): object => ({
  traceId: traceOf(trace),
  spanId: idOf(id),
  ...(parent === undefined ? {} : { parentSpanId: idOf(parent) }),
  name: `operation ${id % 3}`,
  startTimeUnixNano: String(begin + BigInt(at) * 1_000_000n),
  endTimeUnixNano: String(begin + BigInt(at + ms) * 1_000_000n),
  ...more,
});

const requestOf = (service: string, spans: readonly Sent[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', service)] },
          scopeSpans: [{ spans: spans.map(spanOf) }],
        },
      ],
    }),
  );

interface Found {
  readonly spans: readonly {
    readonly trace_id: string;
    readonly span_id: string;
    readonly duration_ms: number;
    readonly start: string;
  }[];
  readonly next: string | null;
}

describe('the stored data of traces', () => {
  let clickhouse: ClickHouse;
  let traces: TraceReader;
  const workspace = `traces-${Date.now()}`;

  /** Twenty traces of `shop`, each with a call to `stock`; every fifth fails there. */
  const shop: readonly Sent[] = Array.from({ length: 20 }, (_, trace) => ({
    ...{ trace, id: 1, at: trace * 1_000, ms: 10 + trace },
    more: { kind: 2, attributes: [text('user.id', `u${trace % 4}`)] },
  }));
  const stock: readonly Sent[] = Array.from({ length: 20 }, (_, trace) => ({
    ...{ trace, id: 2, parent: 1, at: trace * 1_000 + 2, ms: 5 },
    more: {
      kind: 2,
      ...(trace % 5 === 0 && { status: { code: 2, message: 'out of stock' } }),
      events: [{ timeUnixNano: String(begin), name: 'looked', attributes: [text('shelf', '7')] }],
    },
  }));
  const inner: readonly Sent[] = [{ trace: 3, id: 3, parent: 2, at: 3_003, ms: 1, more: { kind: 1 } }];
  const sent = [requestOf('shop', shop), requestOf('stock', [...stock, ...inner])];

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    traces = storedTraces(connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.edge }));
    await insertSpans(clickhouse, sent, `${workspace}-1`, `${workspace}-1`, workspace);
    const other = [requestOf('secret', [{ trace: 3, id: 99, at: 3_000, ms: 1 }])];
    await insertSpans(clickhouse, other, `${workspace}-2`, `${workspace}-2`, `${workspace}-other`);
  });
  after(() => clickhouse.close());

  async function search(question = '', within = workspace): Promise<Found> {
    const query = queryOf(`/?${question}`);
    const filter = spanFilterOf(query);
    const page = pageOf(query, ofFiltered(afterSpan, filter));
    return (await traces.search(within, page, boundedRangeOf(query, Date.now()), filter)) as Found;
  }

  /** Time, trace and span of all spans found, in order. */
  async function allPages(question: string, within = workspace): Promise<readonly string[]> {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: Found = await search(`${question}${after}`, within);
      seen.push(
        ...page.spans.map(({ trace_id: trace, span_id: span, start }) => `${start} ${trace} ${span}`),
      );
      cursor = page.next;
    }
    return seen;
  }

  const numbers = async (question: string): Promise<readonly (readonly [number, number])[]> =>
    (await search(question)).spans.map(({ trace_id: trace, span_id: span }) => [
      numberOf(trace),
      Number.parseInt(span, 16),
    ]);

  it('is searched by kind of span, application, operation, status, attribute and duration', async () => {
    assert.deepEqual(
      await numbers(''),
      Array.from({ length: 20 }, (_, index) => [19 - index, 1]),
    );
    assert.equal((await search('spans=entries')).spans.length, 40);
    assert.equal((await search('spans=all')).spans.length, 41);
    assert.deepEqual(await numbers('spans=all&operation=operation%200'), [[3, 3]]);
    assert.equal((await search('spans=entries&application=stock')).spans.length, 20);
    assert.equal((await search('application=stock')).spans.length, 0);
    assert.deepEqual(await numbers('spans=entries&status=error&max_ms=5'), [
      [15, 2],
      [10, 2],
      [5, 2],
      [0, 2],
    ]);
    assert.equal((await search('attribute=user.id%3Du3')).spans.length, 5);
    assert.equal((await search('spans=all&attribute=service.name%3Dshop')).spans.length, 20);
    assert.equal((await search('attribute=user.id')).spans.length, 20);
    assert.equal((await search('attribute=user.id%3Du9')).spans.length, 0);
    // No span has an empty value, and a span without the key does not count as one.
    assert.equal((await search('attribute=user.id%3D')).spans.length, 0);
    assert.equal((await search('min_ms=27.5')).spans.length, 2);
  });

  it('is counted by time and duration: the spans of the search, of one workspace', async () => {
    interface Durations {
      readonly step_seconds: number;
      readonly edges_ms: readonly number[];
      readonly cells: readonly { at: string; from_ms: number; spans: number; errors: number }[];
    }
    const durations = async (question: string, of = workspace): Promise<Durations> => {
      const query = queryOf(`/?${question}`);
      const range = boundedRangeOf(query, Date.now());
      return (await traces.durations(of, range, spanFilterOf(query))) as Durations;
    };
    const bands = async (question: string, of?: string): Promise<unknown> => {
      const { cells } = await durations(question, of);
      const found = new Map<number, readonly [number, number]>();
      for (const { from_ms: from, spans, errors } of cells) {
        const [before, failed] = found.get(from) ?? [0, 0];
        found.set(from, [before + spans, failed + errors]);
      }
      return [...found];
    };
    // Spans of `shop` take 10 to 29 ms, those of `stock` 5 ms.
    assert.deepEqual(await bands(''), [
      [10, [10, 0]],
      [20, [10, 0]],
    ]);
    assert.deepEqual(await bands('spans=entries&application=stock'), [[5, [20, 4]]]);
    assert.deepEqual(await bands('min_ms=20'), [[20, [10, 0]]]);
    assert.deepEqual(await bands('', `${workspace}-other`), [[1, [1, 0]]]);
    assert.deepEqual(await bands('', `${workspace}-none`), []);
    assert.deepEqual(await bands('attribute=user.id%3Du3'), [
      [10, [2, 0]],
      [20, [3, 0]],
    ]);
    assert.deepEqual(await bands('spans=all&attribute=service.name%3Dstock&status=error'), [[5, [4, 4]]]);
    // Both the span and its resource have the attribute.
    const both = `${workspace}-both`;
    const span = { trace: 1, id: 1, at: 0, ms: 1, more: { attributes: [text('service.name', 'both')] } };
    await insertSpans(clickhouse, [requestOf('both', [span])], both, both, both);
    for (const attribute of ['service.name%3Dboth', 'service.name'])
      assert.deepEqual(await bands(`attribute=${attribute}`, both), [[1, [1, 0]]]);
    const { cells, edges_ms: edges, step_seconds: step } = await durations('');
    assert.ok(
      cells.every(({ at, from_ms: from }) => edges.includes(from) && Date.parse(at) % (step * 1_000) === 0),
    );
  });

  it('comes in pages without a gap, newest first', async () => {
    const timeAt = (ms: number): string => new Date(Number(begin / 1_000_000n) + ms).toISOString();
    const aroundAll = `from=${timeAt(0)}&to=${timeAt(20_000)}`;
    for (const [filter, spans] of [
      ['', 41],
      ['&attribute=service.name%3Dshop', 20],
      [`&attribute=service.name%3Dshop&${aroundAll}`, 20],
    ] as const) {
      const seen = await allPages(`spans=all&limit=3${filter}`);
      assert.equal(new Set(seen).size, spans);
      assert.deepEqual(seen, [...seen].sort().reverse());
    }
  });

  it('comes in pages without a gap even if many spans started in the same nanosecond', async () => {
    const burst = `${workspace}-burst`;
    const spans = Array.from({ length: 20 }, (_, id) => ({
      trace: id % 3,
      id: id + 1,
      at: id < 16 ? 0 : id,
      ms: 1,
    }));
    await insertSpans(clickhouse, [requestOf('burst', spans)], burst, burst, burst);
    const seen = await allPages('spans=all&limit=3', burst);
    assert.equal(new Set(seen).size, spans.length);
    assert.deepEqual(seen, [...seen].sort().reverse());
  });

  it('gives one trace whole, and nothing of it to another workspace', async () => {
    const trace = (await traces.one(workspace, traceOf(3), undefined)) as {
      spans: readonly { span_id: string; parent_span_id: string; offset_ms: number; events: number }[];
    };
    assert.deepEqual(
      trace.spans.map(({ span_id, parent_span_id, offset_ms, events }) => [
        span_id,
        parent_span_id,
        offset_ms,
        events,
      ]),
      [
        [idOf(1), '', 0, 0],
        [idOf(2), idOf(1), 2, 1],
        [idOf(3), idOf(2), 3, 0],
      ],
    );
    assert.equal(await traces.one(`${workspace}-none`, traceOf(3), undefined), undefined);
    assert.equal(await traces.otlp(`${workspace}-none`, traceOf(3), {}), undefined);
    const others = await traces.one(`${workspace}-other`, traceOf(3), undefined);
    assert.deepEqual(
      (others as typeof trace).spans.map(({ span_id: id }) => id),
      [idOf(99)],
    );
  });

  it('writes a trace as the OTLP that was sent', async () => {
    const otlp = await traces.otlp(workspace, traceOf(3), {});
    const of = (body: Buffer): readonly string[] =>
      spanBySpan(readTraces(body).blocks).filter((span) => span.includes(traceOf(3)));
    assert.deepEqual(of(Buffer.from(JSON.stringify(otlp?.request))), sent.flatMap(of).sort());
    const one = JSON.stringify(await traces.otlp(workspace, traceOf(3), { span: idOf(2) }));
    assert.ok(one.includes('shelf') && !one.includes(`"spanId":"${idOf(3)}"`), one);
  });

  it('gives a trace of 10,050 spans in two pages, and in six as OTLP requests', async () => {
    const big = Array.from({ length: 10_050 }, (_, index): Sent => ({
      ...{ trace: 777, id: index + 1, at: index, ms: 1 },
      ...(index > 0 && { parent: index }),
    }));
    await insertSpans(clickhouse, [requestOf('big', big)], `${workspace}-3`, `${workspace}-3`, workspace);
    const first = (await traces.one(workspace, traceOf(777), undefined)) as Found;
    assert.equal(first.spans.length, 10_000);
    const after = afterTraceSpan.read(first.next ?? '');
    const second = (await traces.one(workspace, traceOf(777), after)) as {
      next: string | null;
      spans: readonly { offset_ms: number }[];
    };
    assert.equal(second.next, null);
    assert.deepEqual(
      second.spans.map(({ offset_ms: ms }) => ms),
      Array.from({ length: 50 }, (_, n) => 10_000 + n),
    );
    const ids: string[] = [];
    const sizes: number[] = [];
    let page = await traces.otlp(workspace, traceOf(777), {});
    for (;;) {
      const written = [...JSON.stringify(page?.request).matchAll(/"spanId":"([0-9a-f]{16})"/g)];
      sizes.push(written.length);
      ids.push(...written.map(([, id = '']) => id));
      if (page === undefined || page.next === null) break;
      page = await traces.otlp(workspace, traceOf(777), { after: afterTraceSpan.read(page.next) });
    }
    assert.deepEqual(sizes, [2_000, 2_000, 2_000, 2_000, 2_000, 50]);
    assert.deepEqual(
      ids,
      Array.from({ length: 10_050 }, (_, index) => idOf(index + 1)),
    );
  });

  it('is read within limits: a query that exceeds them is refused', async () => {
    const limits = { seconds: 8, rows: 10, memoryBytes: 600_000_000 };
    const all = 'SELECT sum(Duration) FROM telltale.otel_traces';
    await assert.rejects(clickhouse.query(all, {}, limits), { code: 'QUERY_TOO_LARGE' });
  });
});
