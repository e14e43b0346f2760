import assert from 'node:assert/strict';
import { eventTypes } from '../../schemas/custom-event.js';
import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import { migrateTables } from '../support/applied.js';
import { askAsAnalyst, questionsOf, type Row } from '../support/analytics-questions.js';
import { queriesOf } from '../support/grafana-dashboards.js';
import { eventRows, type SampleEvent } from '../support/event-rows.js';
import { theStack, type TestStack } from '../support/stack.js';

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** When the sample was made, at the start of the tests: an hour can end between then and the answers. */
let madeAt = 0;
/** The start of an hour. Used for two to five full hours ago: within the last day at any time. */
const hour = (ago: number): number => Math.floor(madeAt / hourMs) * hourMs - ago * hourMs;
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const sample = (): readonly SampleEvent[] => [
  // For the dashboard, which shows the last hour: one event of each type, on a separate metric.
  ...eventTypes.map((type): SampleEvent => ({ metric: 'drawn', type, value: 7, at: madeAt - 10 * minuteMs })),
  { metric: 'orders', type: 'increment', value: 5, at: hour(3) },
  { metric: 'orders', type: 'increment', value: 2, at: hour(3) + 10 * minuteMs },
  { metric: 'orders', type: 'decrement', value: 3, at: hour(2) },
  { metric: 'queue', type: 'gauge', value: 9, at: hour(3), cluster: 'a' },
  { metric: 'queue', type: 'gauge', value: 4, at: hour(2), cluster: 'a' },
  { metric: 'queue', type: 'gauge', value: 6, at: hour(2) + 1, cluster: 'a' },
  ...[1, 2, 3, 4].map((value): SampleEvent => ({
    metric: 'seconds',
    type: 'distribution',
    value,
    at: hour(2) + value,
  })),
  { metric: 'disk', type: 'percentage', value: 95, at: hour(3), cluster: 'a' },
  { metric: 'disk', type: 'percentage', value: 91, at: hour(3) + minuteMs, cluster: 'a' },
  { metric: 'disk', type: 'percentage', value: 50, at: hour(3) + 2 * minuteMs, cluster: 'a' },
  { metric: 'disk', type: 'percentage', value: 90, at: hour(3), cluster: 'b' },
  ...[2, 3, 4].map((ago): SampleEvent => ({
    metric: 'heartbeat',
    type: 'increment',
    value: 1,
    at: hour(ago),
  })),
];

/** What each query must find in the sample. */
const findings: Readonly<Record<string, (rows: readonly Row[]) => void>> = {
  'How did each counter move, hour by hour?': (rows) => {
    assert.deepEqual(
      rows.filter(({ metric }) => metric === 'orders'),
      [
        { metric: 'orders', cluster: '', hour: text(hour(3)), moved: 7, reached: 7 },
        { metric: 'orders', cluster: '', hour: text(hour(2)), moved: -3, reached: 4 },
      ],
    );
  },
  'Where does each gauge stand, and since when?': (rows) => {
    assert.deepEqual(
      rows.filter(({ metric }) => metric === 'queue'),
      [
        {
          metric: 'queue',
          cluster: 'a',
          type: 'gauge',
          stands: 6,
          since: text(hour(2)),
          lowest: 4,
          highest: 9,
        },
      ],
    );
  },
  'How are the values of a distribution spread, by hour?': (rows) => {
    const [only, ...more] = rows;
    assert.deepEqual(more, []);
    const { p50_p90_p95_p99: levels, ...rest } = only ?? assert.fail();
    assert.deepEqual(rest, { metric: 'seconds', hour: text(hour(2)), samples: 4, mean: 2.5, highest: 4 });
    assert.ok(
      Array.isArray(levels) && levels.length === 4 && Number(levels[0]) >= 2 && Number(levels[0]) <= 3,
    );
  },
  'Which clusters were over 90 percent, and for how long?': (rows) => {
    assert.deepEqual(rows, [
      { metric: 'disk', cluster: 'a', minutes_over: 2, percent_of_reported: 66.7, highest: 95 },
    ]);
  },
  'Which metrics have gone silent?': (rows) => {
    const [only, ...more] = rows;
    assert.deepEqual(more, []);
    const { silent_minutes: silent, ...rest } = only ?? assert.fail();
    assert.deepEqual(rest, {
      metric: 'heartbeat',
      cluster: '',
      hours: 3,
      reported: 3,
      last_heard: text(hour(2)),
    });
    const sinceHeard = (at: number): number => (at - hour(2)) / minuteMs;
    assert.ok(Number(silent) >= sinceHeard(madeAt) - 1 && Number(silent) <= sinceHeard(Date.now()) + 1);
  },
};

describe('the questions about events in docs/analytics.md', function () {
  const queries = questionsOf('Five questions about events');
  let stack: TestStack;
  let workspace: string;

  before(async () => {
    stack = await theStack();
    await migrateTables(stack);
    const clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    const rows = eventRows(clickhouse);
    ({ workspace } = rows);
    madeAt = Date.now();
    await rows.insert(sample());
    await clickhouse.close();
  });

  it('are five, and this test knows the answer to each', () => {
    assert.deepEqual([...queries.keys()], Object.keys(findings));
    assert.equal(queries.size, 5);
  });

  for (const [question, sql] of queries) {
    it(`answers: ${question}`, async () => {
      const mine = (await askAsAnalyst(stack, sql)).filter(
        (row) => row['workspace'] === workspace && row['metric'] !== 'drawn',
      );
      findings[question]?.(mine.map(({ workspace: own, ...row }) => (assert.ok(own), row)));
    });
  }

  it('are drawn by a dashboard whose queries all find the sample', async () => {
    const queries = queriesOf('events.json', { workspace, metric: 'drawn', cluster: 'none' });
    assert.equal(queries.length, 10);
    for (const { place, sql } of queries) assert.ok((await askAsAnalyst(stack, sql)).length > 0, place);
  });
});
