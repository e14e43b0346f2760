import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { spansSink } from '../../sinks/spans/index.js';
import { migrateTables } from '../support/applied.js';
import { askAsAnalyst, questionsOf, type Row } from '../support/analytics-questions.js';
import { dashboardFiles, queriesOf } from '../support/grafana-dashboards.js';
import { replaceByEmptyTable } from '../support/own-table.js';
import { insertSpans } from '../support/span-rows.js';
import { theStack, type TestStack } from '../support/stack.js';

const queries = questionsOf('Five questions about traces');
const millisecond = 1_000_000n;
const tenMinutesAgo = BigInt(Date.now() - 600_000) * millisecond;

const trace = (digit: string): string => digit.repeat(32);
const id = (number: number): string => String(number).padStart(16, '0');

/** A span; its times are in milliseconds after a point ten minutes ago. */
function span(traceId: string, own: number, parent: number, from: number, to: number, more: object): object {
  const at = (ms: number): string => String(tenMinutesAgo + BigInt(ms) * millisecond);
  return {
    traceId,
    spanId: id(own),
    ...(parent === 0 ? {} : { parentSpanId: id(parent) }),
    startTimeUnixNano: at(from),
    endTimeUnixNano: at(to),
    ...more,
  };
}

const resourceSpans = (service: string, ...spans: readonly object[]): object => ({
  resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
  scopeSpans: [{ spans }],
});

const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
const thrown = {
  timeUnixNano: String(tenMinutesAgo),
  name: 'exception',
  attributes: [text('exception.type', 'RangeError'), text('exception.message', 'out of stock')],
};
const query = { name: 'SELECT', kind: 3 };
const call = { name: 'GET /stock', kind: 3 };
const served = { name: 'GET /stock', kind: 2 };
const failed = { status: { code: 2 }, events: [thrown] };

/** Two requests to `shop`, which calls `stock`; the second one fails there. */
const sample = {
  resourceSpans: [
    resourceSpans(
      'shop',
      span(trace('a'), 1, 0, 0, 100, { name: 'GET /', kind: 2 }),
      span(trace('a'), 2, 1, 10, 90, call),
      span(trace('b'), 1, 0, 200, 260, { name: 'GET /', kind: 2, status: { code: 2 } }),
      span(trace('b'), 2, 1, 210, 250, call),
    ),
    resourceSpans(
      'stock',
      span(trace('a'), 3, 2, 20, 80, served),
      span(trace('a'), 4, 3, 30, 70, query),
      span(trace('b'), 3, 2, 220, 240, { ...served, ...failed }),
    ),
  ],
};

/** What each query must find in the sample. */
const findings: Readonly<Record<string, (rows: readonly Row[]) => void>> = {
  'Where did the slowest trace of the last hour spend its time?': (rows) => {
    assert.deepEqual(
      rows.map(({ starts_at_ms, takes_ms, service, span: name }) => [starts_at_ms, takes_ms, service, name]),
      [
        [0, 100, 'shop', 'GET /'],
        [10, 80, 'shop', 'GET /stock'],
        [20, 60, 'stock', 'GET /stock'],
        [30, 40, 'stock', 'SELECT'],
      ],
    );
  },
  'How fast is each operation, and how often does it fail?': (rows) => {
    assert.deepEqual(
      rows.map(({ service, operation, calls, failed_percent, p99_ms }) => [
        service,
        operation,
        calls,
        failed_percent,
        p99_ms,
      ]),
      [
        ['shop', 'GET /', 2, 50, 100],
        ['stock', 'GET /stock', 2, 50, 60],
      ],
    );
  },
  'Which service calls which?': (rows) => {
    assert.deepEqual(rows, [{ calling: 'shop', called_service: 'stock', calls: 2, failed: 1, p95_ms: 60 }]);
  },
  'Which operations take the time themselves?': (rows) => {
    assert.deepEqual(
      rows.map(({ service, span: name, spans, own_ms }) => [service, name, spans, own_ms]),
      [
        ['shop', 'GET /', 2, 40],
        ['shop', 'GET /stock', 2, 40],
        ['stock', 'GET /stock', 2, 40],
        ['stock', 'SELECT', 1, 40],
      ],
    );
  },
  'Which exceptions are thrown, and where?': (rows) => {
    assert.deepEqual(
      rows.map(({ application, service, type, message, times, last_trace }) => [
        application,
        service,
        type,
        message,
        times,
        last_trace,
      ]),
      [['stock', 'stock', 'RangeError', 'out of stock', 1, trace('b')]],
    );
  },
};

/** The columns that the plugin's trace panel reads by name. */
const traceColumns = [
  'traceID',
  'spanID',
  'parentSpanID',
  'serviceName',
  'operationName',
  'startTime',
  'duration',
  'tags',
  'serviceTags',
  'statusCode',
];

describe('docs/analytics.md, of traces', function () {
  let stack: TestStack;
  let clickhouse: ClickHouse;
  const putBack: (() => Promise<void>)[] = [];

  before(async () => {
    stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    for (const table of [`${spansSink.table}_trace_id_ts`, spansSink.table])
      putBack.push(await replaceByEmptyTable(clickhouse, table));
    await insertSpans(clickhouse, [Buffer.from(JSON.stringify(sample))], 'sample');
  });
  after(async () => {
    for (const back of putBack) await back();
    await clickhouse.close();
  });

  it('asks five questions, and this test knows the answer to each', () => {
    assert.deepEqual([...queries.keys()], Object.keys(findings));
  });

  for (const [question, sql] of queries) {
    it(`answers: ${question}`, async () => findings[question]?.(await askAsAnalyst(stack, sql)));
  }

  for (const { place, sql } of queriesOf('traces.json', {
    application: 'shop',
    service: 'shop',
    trace: trace('a'),
  }))
    it(`has an answer for the dashboard ${place}`, async () => {
      assert.doesNotMatch(sql, /\$/, 'a macro or variable is not written out');
      const rows = await askAsAnalyst(stack, sql);
      // The selected service has thrown no exception.
      assert.equal(rows.length > 0, !place.endsWith('Exceptions'));
      if (place.endsWith('Trace $trace')) assert.deepEqual(Object.keys(rows[0] ?? {}), traceColumns);
    });

  it('is drawn by a dashboard that is provisioned in Grafana', () => {
    assert.ok(dashboardFiles().includes('traces.json'));
    assert.match(
      readFileSync('compose.yaml', 'utf8'),
      /deploy\/grafana\/dashboards:\/etc\/telltale\/dashboards:ro/,
    );
    assert.match(readFileSync('deploy/grafana/dashboards.yaml', 'utf8'), /path: \/etc\/telltale\/dashboards/);
  });
});
