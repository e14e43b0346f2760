import assert from 'node:assert/strict';
import fc from 'fast-check';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { eventTypes, type EventType } from '../../../schemas/custom-event.js';
import { migrateTables } from '../../support/applied.js';
import { eventRows, type SampleEvent } from '../../support/event-rows.js';
import { atScale } from '../../support/scale.js';
import { theStack } from '../../support/stack.js';

interface Minute {
  readonly metric: string;
  readonly cluster: string;
  readonly type: EventType;
  readonly minute: string;
  readonly events: number;
  readonly [figure: string]: unknown;
}

const minuteMs = 60_000;
const start = Math.floor(Date.now() / minuteMs) * minuteMs - 3 * 3_600_000;

describe('telltale.events_by_minute', () => {
  let clickhouse: ClickHouse;

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  });
  after(() => clickhouse.close());

  const minutes = async (workspace: string): Promise<readonly Minute[]> =>
    clickhouse.query<Minute>(
      `SELECT * EXCEPT (workspace) FROM telltale.events_by_minute WHERE workspace = {workspace:String}
       ORDER BY metric, cluster, type, minute`,
      { workspace },
    );
  const figuresOf = async (events: readonly Omit<SampleEvent, 'metric' | 'at'>[]): Promise<Minute> => {
    const rows = eventRows(clickhouse);
    await rows.insert(events.map((event, index) => ({ metric: 'm', at: start + index, ...event })));
    const [only, ...more] = await minutes(rows.workspace);
    assert.deepEqual(more, []);
    return only ?? assert.fail();
  };
  const values = (type: EventType, ...numbers: readonly number[]) =>
    numbers.map((value) => ({ type, value }));
  const nothing = { sum: null, change: null, min: null, max: null, mean: null, last: null };
  const noQuantiles = { p50: null, p90: null, p95: null, p99: null };

  it('sums increments and decrements, each with its sign, and has no level for them', async () => {
    const { metric, cluster, type, minute, ...figures } = await figuresOf(values('increment', 1, 2, 4));
    assert.deepEqual([metric, cluster, type], ['m', '', 'increment']);
    assert.equal(Date.parse(`${minute.replace(' ', 'T')}Z`), start);
    assert.deepEqual(figures, { ...nothing, ...noQuantiles, events: 3, sum: 7, change: 7 });
    const down = await figuresOf(values('decrement', 1, 2));
    assert.deepEqual([down['sum'], down['change']], [3, -3]);
  });

  it('has last, min, max and mean for gauges, percentages and byte counts', async () => {
    for (const type of ['gauge', 'percentage', 'systembyte'] as const) {
      const { metric, cluster, type: stored, minute, ...figures } = await figuresOf(values(type, 10, 40, 1));
      assert.deepEqual(figures, {
        ...nothing,
        ...noQuantiles,
        events: 3,
        min: 1,
        max: 40,
        mean: 17,
        last: 1,
      });
      assert.ok(metric && minute && cluster === '' && stored === type);
    }
  });

  it('has quantiles for distributions', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const { p50, p90, p95, p99, last, min, max, mean } = await figuresOf(values('distribution', ...many));
    const near = (found: unknown, wanted: number): void =>
      assert.ok(Math.abs(Number(found) - wanted) < 10, `${String(found)}, not ${wanted}`);
    near(p50, 500);
    near(p90, 900);
    near(p95, 950);
    near(p99, 990);
    assert.deepEqual([last, min, max, mean], [null, 1, 1_000, 500.5]);
  });

  it('takes as last the latest event, or the last to arrive of equal timestamps, in whatever insert order', async () => {
    const rows = eventRows(clickhouse);
    const at = (value: number, ms: number): SampleEvent => ({
      metric: 'm',
      type: 'gauge',
      value,
      at: start + ms,
    });
    await rows.insert([at(1, 500), at(2, 900)]);
    await rows.insert([at(3, 100), at(4, 900)]);
    await rows.insert([at(5, 899)]);
    assert.deepEqual(
      (await minutes(rows.workspace)).map(({ last }) => last),
      [4],
    );
  });

  it('keeps clusters, types and minutes apart', async () => {
    const rows = eventRows(clickhouse);
    const one = { metric: 'm', type: 'gauge', value: 1, at: start } as const;
    await rows.insert([
      one,
      { ...one, cluster: 'a' },
      { ...one, type: 'increment' },
      { ...one, at: start + minuteMs },
      { ...one, at: start + minuteMs - 1 },
      { ...one, metric: 'n' },
    ]);
    assert.deepEqual(
      (await minutes(rows.workspace)).map(({ events }) => events),
      [2, 1, 1, 1, 1],
    );
  });

  it('counts a retried insert once, and the same events under another token twice', async () => {
    const rows = eventRows(clickhouse);
    const events = Array.from({ length: 500 }, (_, index): SampleEvent => {
      const type = eventTypes[index % eventTypes.length] ?? 'gauge';
      // At least two months: ClickHouse writes a separate part for each month.
      return {
        metric: `m${index % 7}`,
        type,
        value: 1 + index / 10,
        at: start - (index % 3) * 32 * 86_400_000,
      };
    });
    await rows.insert(events);
    const once = await minutes(rows.workspace);
    await rows.repeatLast();
    await rows.repeatLast();
    assert.deepEqual(await minutes(rows.workspace), once);
    assert.equal(
      once.reduce((sum, { events: count }) => sum + count, 0),
      500,
    );
    await rows.insert(events);
    const twice = await minutes(rows.workspace);
    assert.equal(
      twice.reduce((sum, { events: count }) => sum + count, 0),
      1_000,
    );
  });

  it('gives the same figures as the events themselves, however they are split into inserts', async () => {
    const event = fc.record({
      metric: fc.constantFrom('a', 'b'),
      type: fc.constantFrom(...eventTypes),
      value: fc.integer({ min: 0, max: 100 }),
      at: fc.integer({ min: 0, max: 4 * minuteMs }).map((ms) => start + ms),
      cluster: fc.constantFrom('', 'c'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(event, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        async (inserts) => {
          const rows = eventRows(clickhouse);
          for (const part of inserts) {
            await rows.insert(part);
            await rows.repeatLast();
          }
          const expected = await clickhouse.query(
            `SELECT metric, cluster, type, toStartOfMinute(occurred_at) AS minute, count() AS events, sum(value) AS total,
             argMax(value, (occurred_at, _offset)) AS latest, min(value) AS least, max(value) AS most
           FROM telltale.events WHERE workspace = {workspace:String} GROUP BY metric, cluster, type, minute
           ORDER BY metric, cluster, type, minute`,
            { workspace: rows.workspace },
          );
          const found = await clickhouse.query(
            `SELECT metric, cluster, type, minute, sum(one.events) AS events, sum(one.total) AS total,
             argMaxMerge(one.latest) AS latest, min(lowest) AS least, max(highest) AS most
           FROM telltale.events_1m AS one WHERE workspace = {workspace:String} GROUP BY metric, cluster, type, minute
           ORDER BY metric, cluster, type, minute`,
            { workspace: rows.workspace },
          );
          assert.deepEqual(found, expected);
        },
      ),
      { numRuns: atScale(8, 50) },
    );
  });
});
