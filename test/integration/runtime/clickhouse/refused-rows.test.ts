import assert from 'node:assert/strict';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { theStack } from '../../../support/stack.js';

const table = 'telltale.any_row';
/** Rows that no table with such columns can take, by their fault. */
const refused: Readonly<Record<string, string>> = {
  'a text with half of a surrogate pair': String.raw`{"text":"\ud800"}`,
  'a key with half of a surrogate pair': String.raw`{"texts":{"\ud800":""}}`,
  'a timestamp after the year 9999': '{"moment":"+275760-09 00:00:00.000"}',
  'a text where a number is wanted': '{"number":"many"}',
  'a fraction where a whole number is wanted': '{"whole":1.5}',
  'a number with a sign where there can be none': '{"whole":-1}',
};

describe('a row that ClickHouse never takes', () => {
  let clickhouse: ClickHouse;
  before(async () => {
    const { url, writer } = (await theStack()).clickhouse;
    clickhouse = connectClickHouse({ url, ...writer });
    await clickhouse.command('CREATE DATABASE IF NOT EXISTS telltale');
    await clickhouse.command(`CREATE TABLE IF NOT EXISTS ${table}
      (text String, texts Map(String, String), moment DateTime64(3, 'UTC'), number Float64, whole UInt32)
      ENGINE = MergeTree ORDER BY whole`);
  });
  after(async () => {
    await clickhouse.command(`DROP TABLE ${table}`);
    await clickhouse.close();
  });

  for (const [what, row] of Object.entries(refused)) {
    it(`is told from an outage: ${what}`, async () => {
      await assert.rejects(clickhouse.insert(table, Buffer.from(`${row}\n`), ''), { code: 'ROWS_REJECTED' });
    });
  }
});
