import assert from 'node:assert/strict';
import { storedNewest } from '../../../http-edge/newest/stored-newest.js';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { migrateTables } from '../../support/applied.js';
import { insertSpans } from '../../support/span-rows.js';
import { theStack } from '../../support/stack.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe('the newest of what is stored', () => {
  const workspace = `newest-${Date.now()}`;
  let writer: ClickHouse;
  let reader: ClickHouse;

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    writer = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    reader = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.edge });
  });
  after(() => Promise.all([writer.close(), reader.close()]));

  it('is null of each kind that the workspace never had, whatever others have', async () => {
    const none = { results: null, events: null, spans: null };
    assert.deepEqual(await storedNewest(reader).read(workspace), none);
  });

  it('is found at any age, without rows that a wrong clock has dated in the future', async () => {
    const longAgo = Math.floor((Date.now() - 200 * dayMs) / minuteMs) * minuteMs;
    const atMs = [longAgo, longAgo + minuteMs, Date.now() + dayMs];
    await writer.command(
      `INSERT INTO telltale.events (workspace, metric, cluster, type, value, occurred_at, _topic, _offset, _previous_offset)
       SELECT '${workspace}', 'orders', '', 'increment', 1, fromUnixTimestamp64Milli(toInt64(at)), '${workspace}', rowNumberInAllBlocks(), -1
       FROM values('at Int64', ${atMs.join(', ')})`,
    );
    const beganMs = Date.now() - dayMs;
    const span = (id: string, startMs: number, more: object): object => ({
      ...{ traceId: id.padStart(32, '0'), spanId: id.padStart(16, '0'), name: 'GET /', kind: 2 },
      startTimeUnixNano: `${startMs}000000`,
      endTimeUnixNano: `${startMs + 1}000000`,
      ...more,
    });
    const spans = [
      span('1', beganMs, {}),
      span('2', Date.now() + dayMs, {}),
      span('3', beganMs + 1, { kind: 1, parentSpanId: '1'.padStart(16, '0') }),
    ];
    const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    await insertSpans(writer, [Buffer.from(JSON.stringify(body))], workspace, workspace, workspace);
    assert.deepEqual(await storedNewest(reader).read(workspace), {
      ...{ results: null, events: longAgo + minuteMs, spans: beganMs },
    });
  });
});
