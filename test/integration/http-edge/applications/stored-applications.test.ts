import assert from 'node:assert/strict';
import { storedApplications } from '../../../../http-edge/applications/stored-applications.js';
import type { ApplicationReader } from '../../../../http-edge/applications/application-reader.js';
import type { Store } from '../../../../http-edge/clusters/read/store.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { migrateTables } from '../../../support/applied.js';
import { insertSpans } from '../../../support/span-rows.js';
import { theStack } from '../../../support/stack.js';

const minuteMs = 60_000;
/** An odd minute. `laterMs` is an even one. */
const beginMs = (Math.floor(Date.now() / minuteMs / 2 - 15) * 2 + 1) * minuteMs;
const laterMs = beginMs + 11 * minuteMs;
const workspace = `applications-${Date.now()}`;
/** The 30 minutes from `beginMs` on. */
const range = { from: beginMs * 1_000, to: (beginMs + 30 * minuteMs) * 1_000 };

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

function span(trace: number, id: number, parent: number, atMs: number, ms: number, more: object): object {
  const at = (ms: number): string => String(BigInt(ms) * 1_000_000n);
  return {
    ...{ traceId: hex(trace + 1, 32), spanId: hex(trace * 16 + id, 16) },
    ...(parent > 0 && { parentSpanId: hex(trace * 16 + parent, 16) }),
    ...{ startTimeUnixNano: at(beginMs + atMs), endTimeUnixNano: at(beginMs + atMs + ms), ...more },
  };
}

const of = (service: string, spans: readonly object[]): object => ({
  resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
  scopeSpans: [{ spans }],
});

interface Figures {
  readonly requests: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

interface Applications {
  readonly cut: boolean;
  readonly step_seconds: number;
  readonly applications: readonly (Figures & {
    readonly application: string;
    readonly per_second: number;
    readonly series: readonly {
      readonly at: string;
      readonly requests: number;
      readonly per_second: number;
    }[];
  })[];
}

describe('the stored performance of applications', () => {
  let clickhouse: ClickHouse;
  let body: Buffer;
  let store: ClickHouse;
  let applications: ApplicationReader;

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    store = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.edge });
    applications = storedApplications(store, () => range.to / 1_000);
    // 101 requests of 0 to 100 ms, in the first minute and in the twelfth; each asks the stock, where every tenth fails.
    const traces = Array.from({ length: 101 }, (_, trace) => ({
      trace,
      at: trace < 50 ? 0 : laterMs - beginMs,
    }));
    const shop = traces.flatMap(({ trace, at }) => [
      span(trace, 1, 0, at, trace, { name: 'GET /', kind: 2 }),
      span(trace, 2, 1, at, 5, { name: 'ask', kind: 3 }),
    ]);
    const stock = traces.map(({ trace, at }) =>
      span(trace, 3, 2, at, 4, { name: 'GET /stock', kind: 2, status: { code: trace % 10 === 0 ? 2 : 0 } }),
    );
    body = Buffer.from(JSON.stringify({ resourceSpans: [of('shop', shop), of('stock', stock)] }));
    await insertSpans(clickhouse, [body], `${workspace}-1`, `${workspace}-1`, workspace);
  });
  after(() => Promise.all([clickhouse.close(), store.close()]));

  it('is read from per-minute figures, not from spans', async () => {
    const plans: string[] = [];
    const explaining: Store = {
      async query(sql, parameters) {
        const plan = await clickhouse.query<{ explain: string }>(`EXPLAIN ${sql}`, parameters);
        plans.push(plan.map(({ explain }) => explain).join('\n'));
        return [];
      },
    };
    await storedApplications(explaining, Date.now).list(workspace, range);
    assert.match(plans.join('\n'), /ReadFromMergeTree \(entries_by_minute\)/);
    assert.doesNotMatch(plans.join('\n'), /ReadFromMergeTree \(telltale/);
  });

  it('has requests, errors, quantiles and their time series, and counts only requests', async () => {
    const found = (await applications.list(workspace, range)) as Applications;
    assert.deepEqual(
      found.applications.map(({ application, requests, errors, per_second }) => [
        application,
        requests,
        errors,
        per_second,
      ]),
      [
        ['shop', 101, 0, 101 / 1_800],
        ['stock', 101, 11, 101 / 1_800],
      ],
    );
    const [shop] = found.applications;
    assert.ok(shop !== undefined && Math.abs(shop.p50_ms - 50) <= 1 && Math.abs(shop.p99_ms - 99) <= 1);
    assert.equal(found.step_seconds, 60);
    assert.deepEqual(
      shop.series.map(({ at, requests }) => [Date.parse(at), requests]),
      [
        [beginMs, 50],
        [laterMs, 51],
      ],
    );
  });

  it('has rates at both ends of its time series, for the part that is in the range', async () => {
    const within = async (fromMs: number, toMs: number): Promise<Applications> =>
      (await applications.list(workspace, { from: fromMs * 1_000, to: toMs * 1_000 })) as Applications;
    const first = await within(beginMs, beginMs + 61 * minuteMs);
    const last = await within(laterMs - 60 * minuteMs, laterMs + minuteMs);
    assert.deepEqual([first.step_seconds, last.step_seconds], [120, 120]);
    assert.equal(first.applications[0]?.series[0]?.per_second, 50 / 60);
    assert.equal(last.applications[0]?.series.at(-1)?.per_second, 51 / 60);
  });

  it('has a rate over the time that has passed, in a minute that has not ended', async () => {
    const now = laterMs + 5_000;
    const list = await storedApplications(store, () => now).list(workspace, {
      from: beginMs * 1_000,
      to: now * 1_000,
    });
    const [shop] = (list as Applications).applications;
    assert.equal(shop?.per_second, 101 / (11 * 60 + 5));
    assert.equal(shop.series.at(-1)?.per_second, 51 / 5);
  });

  it('is read only for the applications that are listed, those with the most requests', async () => {
    const crowd = Array.from({ length: 203 }, (_, at) => `a${at}`);
    const calls = [...crowd, 'a202'].map((service, at) =>
      of(service, [span(1_000 + at, 1, 0, 0, 1, { name: 'GET /', kind: 2 })]),
    );
    const many = `${workspace}-many`;
    const body = Buffer.from(JSON.stringify({ resourceSpans: calls }));
    await insertSpans(clickhouse, [body], many, many, many);
    let read = 0;
    const counting: Store = {
      async query<Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) {
        const rows = await clickhouse.query<Row>(sql, parameters);
        read += rows.length;
        return rows;
      },
    };
    const found = (await storedApplications(counting, Date.now).list(many, range)) as Applications;
    assert.deepEqual([found.applications.length, found.cut], [200, true]);
    assert.deepEqual([found.applications[0]?.application, found.applications[0]?.requests], ['a202', 2]);
    assert.ok(read <= 2 * 201, String(read));
  });

  it('is the same by operation, with the slowest requests first', async () => {
    const found = (await applications.operations(workspace, range, 'shop')) as {
      operations: readonly (Figures & { operation: string })[];
      slowest: readonly { duration_ms: number; trace_id: string }[];
    };
    assert.deepEqual(
      found.operations.map(({ operation, requests }) => [operation, requests]),
      [['GET /', 101]],
    );
    assert.deepEqual(
      found.slowest.slice(0, 3).map(({ duration_ms: ms }) => ms),
      [100, 99, 98],
    );
  });

  it('says who calls whom', async () => {
    const { calls } = (await applications.calls(workspace, range)) as {
      calls: readonly { caller: string; called: string; calls: number; errors: number }[];
    };
    assert.deepEqual(
      calls.map(({ caller, called, calls: times, errors }) => [caller, called, times, errors]),
      [['shop', 'stock', 101, 11]],
    );
  });

  it('counts a call once whose spans were sent twice', async () => {
    const twice = `${workspace}-twice`;
    await insertSpans(clickhouse, [body, body], twice, twice, twice);
    const { calls } = (await applications.calls(twice, range)) as { calls: readonly { calls: number }[] };
    assert.deepEqual(
      calls.map(({ calls: times }) => times),
      [101],
    );
  });

  it('is shown neither to another workspace nor in another hour', async () => {
    const other = (await applications.list(`${workspace}-other`, range)) as Applications;
    assert.deepEqual(other.applications, []);
    const before = { from: range.from - 3_600_000_000, to: range.from };
    assert.deepEqual(((await applications.list(workspace, before)) as Applications).applications, []);
    for (const read of [
      applications.operations(`${workspace}-other`, range, undefined),
      applications.calls(`${workspace}-other`, range),
    ])
      assert.doesNotMatch(JSON.stringify(await read), /shop|stock/);
  });
});
