import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { copyRows } from '../../../../runtime/replays/table/copy-rows.js';
import { theStack } from '../../../support/stack.js';

describe('the copy of rows into a shadow', () => {
  const table = `telltale.copied_${randomUUID().slice(0, 8)}`;
  const into = `${table}_shadow`;
  let clickhouse: ClickHouse;
  before(async () => {
    const stack = await theStack();
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    await clickhouse.command('CREATE DATABASE IF NOT EXISTS telltale');
    for (const name of [table, into])
      await clickhouse.command(
        `CREATE TABLE ${name} (name String, _partition UInt16, _run String, _offset UInt64) ENGINE = MergeTree
         ORDER BY name SETTINGS non_replicated_deduplication_window = 100`,
      );
  });
  after(async () => {
    for (const name of [table, into]) await clickhouse.command(`DROP TABLE ${name}`);
    await clickhouse.close();
  });

  it('stores a chunk once, though parts of the table are merged before it is copied again', async () => {
    await clickhouse.command(`SYSTEM STOP MERGES ${table}`);
    for (const from of [0, 300, 500])
      await clickhouse.command(
        `INSERT INTO ${table} SELECT toString(number % 7), 3, 'r', number FROM numbers(${from}, 200)`,
      );
    const ignored = (): Promise<void> => Promise.resolve();
    const copy = (): Promise<void> =>
      copyRows(
        clickhouse,
        { table, into, rowsPerRecord: 'one' },
        { partition: 3, run: 'r', from: 100, to: 600 },
        { did: ignored, note: ignored },
      );
    await copy();
    await clickhouse.command(`SYSTEM START MERGES ${table}`);
    await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
    await copy();
    const [found] = await clickhouse.query<{ rows: string }>(`SELECT count() AS rows FROM ${into}`);
    assert.equal(Number(found?.rows), 400);
  });
});
