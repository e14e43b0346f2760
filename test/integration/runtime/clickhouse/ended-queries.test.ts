import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { theStack } from '../../../support/stack.js';

/** Each with when its answer begins: the client heeds a signal by itself only before. */
const endless = {
  'that has not answered': 'SELECT sum(number) AS ended FROM numbers(1000000000000000)',
  'in the midst of its answer': 'SELECT number AS ended FROM numbers(1000000000000000)',
};
const limits = { seconds: 60, rows: 1e16, memoryBytes: 1e8 };

describe('a query whose answer nobody wants any more', () => {
  let reader: ClickHouse;
  let writer: ClickHouse;
  before(async () => {
    const { url, edge, writer: account } = (await theStack()).clickhouse;
    reader = connectClickHouse({ url, ...edge });
    writer = connectClickHouse({ url, ...account });
  });
  after(async () => {
    await reader.close();
    await writer.close();
  });

  const running = async (sql: string): Promise<number> =>
    (await writer.query('SELECT 1 FROM system.processes WHERE startsWith(query, {sql:String})', { sql }))
      .length;

  for (const [when, sql] of Object.entries(endless))
    describe(when, () => {
      it('is ended by ClickHouse too', async () => {
        const leaving = new AbortController();
        const read = reader.query(sql, {}, { ...limits, signal: leaving.signal });
        read.catch(() => undefined);
        while ((await running(sql)) === 0) await setTimeout(20);
        const reason = new Error('nobody waits');
        leaving.abort(reason);
        await assert.rejects(read, reason);
        while ((await running(sql)) > 0) await setTimeout(20);
      });
    });
});
