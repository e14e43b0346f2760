import assert from 'node:assert/strict';
import { copyRows } from '../../../../runtime/replays/table/copy-rows.js';

/** A table of offsets, which remembers the tokens of what was inserted into its shadow. */
function tableOf(offsets: Set<number>) {
  const tokens: string[] = [];
  return {
    tokens,
    clickhouse: {
      query: <Row>(sql: string, parameters: Readonly<Record<string, unknown>> = {}) => {
        const { reached, to, first, end } = parameters as Readonly<Record<string, number>>;
        const within = [...offsets].filter(
          (offset) => offset >= (first ?? reached ?? 0) && offset < (end ?? to ?? 0),
        );
        const row = sql.includes('minOrNull')
          ? { offset: within.length === 0 ? null : String(Math.min(...within)) }
          : { rows: String(within.length) };
        return Promise.resolve([row as Row]);
      },
      command: (sql: string) => {
        tokens.push(/insert_deduplication_token = '([^']+)'/.exec(sql)?.[1] ?? '');
        return Promise.resolve();
      },
    },
  };
}

describe('the copy of rows into a shadow', () => {
  const rows = { partition: 3, run: 'r' };
  const sink = { table: 'telltale.events', into: 'telltale.shadow', rowsARecord: 'one' } as const;
  const copy = async (table: ReturnType<typeof tableOf>): Promise<number> => {
    let done = 0;
    await copyRows(table.clickhouse, sink, rows, 10, 100_000, (count) => {
      done += count;
      return Promise.resolve();
    });
    return done;
  };

  it('has the same chunks when rows have expired since it was begun', async () => {
    const offsets = new Set([10, 11, 19_999, 20_000, 61_000, 99_999, 100_000]);
    const before = tableOf(offsets);
    assert.equal(await copy(before), 6);
    offsets.delete(10);
    offsets.delete(20_000);
    offsets.add(20_001);
    const after = tableOf(offsets);
    assert.equal(await copy(after), 5);
    assert.deepEqual(after.tokens, before.tokens);
    assert.equal(before.tokens.length, 4);
  });

  it('copies nothing where there is nothing', async () => {
    const table = tableOf(new Set([5, 100_000]));
    assert.equal(await copy(table), 0);
    assert.deepEqual(table.tokens, []);
  });
});
