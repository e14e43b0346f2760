import assert from 'node:assert/strict';
import { pageOf } from '../../../../http-edge/clusters/page.js';
import { queryOf } from '../../../../http-edge/clusters/query.js';
import { afterMetric } from '../../../../http-edge/events/event-read-routes.js';
import type { EventReader } from '../../../../http-edge/events/event-reader.js';
import { storedEvents } from '../../../../http-edge/events/stored-events.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { migrateTables } from '../../../support/applied.js';
import { theStack } from '../../../support/stack.js';

const minuteMs = 60_000;
const beginMs = Math.floor((Date.now() - 30 * minuteMs) / minuteMs) * minuteMs;
const range = { from: beginMs * 1_000, to: (beginMs + 30 * minuteMs) * 1_000 };
const workspace = `events-${Date.now()}`;

interface Metrics {
  readonly metrics: readonly { metric: string; type: string; sum: number | null; last: number | null }[];
  readonly next: string | null;
}

interface Series {
  readonly series: readonly {
    readonly cluster: string;
    readonly points: readonly {
      readonly at: string;
      readonly sum: number | null;
      readonly last: number | null;
    }[];
  }[];
}

describe('the stored data of events', () => {
  let clickhouse: ClickHouse;
  let events: EventReader;

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    events = storedEvents(connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.edge }));
    const insert = (rows: string, of = workspace): Promise<void> =>
      clickhouse.command(
        `INSERT INTO telltale.events (workspace, metric, cluster, type, value, occurred_at, _topic, _offset, _previous_offset)
         SELECT '${of}', metric, cluster, type, value, fromUnixTimestamp64Milli(toInt64(${beginMs} + minute * ${minuteMs})),
             '${of}', rowNumberInAllBlocks(), -1
         FROM values('metric String, cluster String, type String, value Float64, minute UInt32', ${rows})`,
      );
    await insert(
      "('orders', 'eu', 'increment', 2, 0), ('orders', 'eu', 'increment', 3, 0), ('orders', 'us', 'increment', 1, 5), ('depth', '', 'gauge', 7, 0), ('depth', '', 'gauge', 0, 9), ('über µ', '', 'gauge', 1, 1)",
    );
    await insert("('secret', '', 'gauge', 1, 0)", `${workspace}-other`);
  });
  after(() => clickhouse.close());

  const metrics = async (question = ''): Promise<Metrics> =>
    (await events.metrics(workspace, pageOf(queryOf(`/?${question}`), afterMetric), range)) as Metrics;

  it('is a list of metrics with what their type means, page by page', async () => {
    const all = await metrics();
    assert.deepEqual(
      all.metrics.map(({ metric, type, sum, last }) => [metric, type, sum, last]),
      [
        ['depth', 'gauge', null, 0],
        ['orders', 'increment', 6, null],
        ['über µ', 'gauge', null, 1],
      ],
    );
    const paged: Metrics['metrics'][number][] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Metrics = await metrics(`limit=1${next === '' ? '' : `&cursor=${next}`}`);
      paged.push(...page.metrics);
      next = page.next;
    }
    assert.deepEqual(paged, all.metrics);
  });

  it('is a series for each cluster, without values that did not come, and with a true 0', async () => {
    const orders = (await events.series(workspace, range, { metric: 'orders' })) as Series;
    assert.deepEqual(
      orders.series.map(({ cluster, points }) => [
        cluster,
        points.map(({ at, sum }) => [Date.parse(at), sum]),
      ]),
      [
        ['eu', [[beginMs, 5]]],
        ['us', [[beginMs + 5 * minuteMs, 1]]],
      ],
    );
    const depth = (await events.series(workspace, range, { metric: 'depth' })) as Series;
    assert.deepEqual(
      depth.series[0]?.points.map(({ last }) => last),
      [7, 0],
    );
    const us = (await events.series(workspace, range, { metric: 'orders', cluster: 'us' })) as Series;
    assert.equal(us.series.length, 1);
  });

  it('is shown to no other workspace', async () => {
    assert.doesNotMatch(JSON.stringify(await metrics()), /secret/);
    const series = (await events.series(workspace, range, { metric: 'secret' })) as Series;
    assert.deepEqual(series.series, []);
  });
});
