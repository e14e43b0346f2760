import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { askedByNobody } from '../../../../http-edge/http/asker.js';
import { boundedStore } from '../../../../http-edge/http/bounded-store.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { theStack } from '../../../support/stack.js';

/** By the state of the answer: the client itself obeys a signal only before the answer starts. */
const endless = {
  'that has not answered': 'SELECT sum(number) AS ended FROM numbers(1000000000000000)',
  'in the midst of its answer': 'SELECT number AS ended FROM numbers(1000000000000000)',
};
const limits = { seconds: 60, rows: 1e16, memoryBytes: 1e8 };

describe('a query whose answer nobody wants', () => {
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

  const asked: Readonly<Record<string, (sql: string, signal: AbortSignal) => Promise<unknown>>> = {
    'of an account that may only read': (sql, signal) => reader.query(sql, {}, { ...limits, signal }),
    'that may take long': (sql, signal) => writer.longQuery(sql, {}, signal),
  };

  for (const [whose, ask] of Object.entries(asked))
    for (const [when, sql] of Object.entries(endless))
      describe(`${whose}, ${when}`, () => {
        it('is ended by ClickHouse too', async () => {
          const leaving = new AbortController();
          const read = ask(sql, leaving.signal);
          read.catch(() => undefined);
          while ((await running(sql)) === 0) await setTimeout(20);
          const reason = new Error('nobody waits');
          leaving.abort(reason);
          await assert.rejects(read, reason);
          while ((await running(sql)) > 0) await setTimeout(20);
        });
      });

  it('is ended if the edge would get more rows than it has room for, even in the middle of its answer', async () => {
    const store = boundedStore(reader, 'http://store');
    const read = (rows: number, atOnce: number): Promise<readonly unknown[]> =>
      askedByNobody(() =>
        store.query(
          `SELECT repeat('x', 100) AS text FROM numbers({rows:UInt64}) SETTINGS max_block_size = ${atOnce}`,
          { rows },
        ),
      );
    assert.equal((await read(45_000, 45_000)).length, 45_000);
    for (const atOnce of [60_000, 10_000])
      await assert.rejects(read(60_000, atOnce), { code: 'QUERY_TOO_LARGE' });
    const many = '(SELECT number FROM numbers(60000) ORDER BY number DESC LIMIT 1 BY number)';
    const [within] = await askedByNobody(() =>
      store.query(
        `WITH named AS ${many} SELECT toUInt32(count()) AS rows FROM ${many} AS one INNER JOIN ${many} AS other
         ON one.number = other.number WHERE one.number IN (SELECT number FROM named)`,
      ),
    );
    assert.deepEqual(within, { rows: 60_000 }, 'what a query holds in itself is no answer');
  });
});
