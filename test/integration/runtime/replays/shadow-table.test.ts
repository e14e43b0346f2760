import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { createShadow, dropShadow, shadowOf } from '../../../../runtime/replays/table/shadow-table.js';
import { spansSink } from '../../../../sinks/spans/index.js';
import { migrateTables } from '../../../support/applied.js';
import { theStack } from '../../../support/stack.js';

interface Definition {
  readonly sorting_key: string;
  readonly create_table_query: string;
}

const holder = '0a1b2c3d';

describe('the shadow of a table that an earlier version sorted otherwise', () => {
  const { order } = spansSink;
  const table = `telltale.before_${randomUUID().slice(0, 8)}`;
  let clickhouse: ClickHouse;

  const definitionOf = async (name: string): Promise<Definition> => {
    const [found] = await clickhouse.query<Definition>(
      `SELECT sorting_key, create_table_query FROM system.tables WHERE concat(database, '.', name) = {name:String}`,
      { name },
    );
    assert.ok(found !== undefined, `${name} is missing`);
    return found;
  };

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    const { url, writer } = stack.clickhouse;
    clickhouse = connectClickHouse({ url, ...writer });
    await clickhouse.command(
      `CREATE TABLE ${table} AS ${spansSink.table} ENGINE = MergeTree PARTITION BY toDate(appended_at)
       ORDER BY (ServiceName, SpanName, toDateTime(Timestamp)) TTL toDate(appended_at) + INTERVAL 17 DAY`,
    );
    await clickhouse.command(
      `ALTER TABLE ${table} ADD PROJECTION spans_by_time (SELECT workspace, Timestamp ORDER BY (workspace, Timestamp))`,
    );
  });
  after(async () => {
    await dropShadow(clickhouse, table, [], holder);
    await clickhouse.command(`DROP TABLE ${table}`);
    await clickhouse.close();
  });

  it('is sorted as the sink wants it, and otherwise defined as the operator has it', async () => {
    assert.ok(order !== undefined);
    await createShadow(clickhouse, { table, order }, [], holder);
    const shadow = await definitionOf(shadowOf(table, holder));
    assert.equal(shadow.sorting_key, order.by);
    assert.match(shadow.create_table_query, /toIntervalDay\(17\)/);
    assert.match(shadow.create_table_query, /PROJECTION entries_by_minute/);
    assert.doesNotMatch(shadow.create_table_query, /spans_by_time/);
  });

  it('is the same if the table is already sorted that way', async () => {
    assert.equal((await definitionOf(spansSink.table)).sorting_key, order?.by);
    await createShadow(clickhouse, spansSink, [], holder);
    const shadow = await definitionOf(shadowOf(spansSink.table, holder));
    await dropShadow(clickhouse, spansSink.table, [], holder);
    assert.equal(
      shadow.create_table_query.replace(shadowOf(spansSink.table, holder), spansSink.table),
      (await definitionOf(spansSink.table)).create_table_query,
    );
  });
});
