import assert from 'node:assert/strict';
import { copyRows } from '../../../../runtime/replays/table/copy-rows.js';

/** A table of offsets, which records the tokens of inserts into its shadow. */
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
  const rows = { partition: 3, run: 'r', from: 10, to: 100_000 };
  const sink = { table: 'telltale.events', into: 'telltale.shadow', rowsPerRecord: 'one' } as const;
  const copy = async (table: ReturnType<typeof tableOf>): Promise<number> => {
    let done = 0;
    await copyRows(table.clickhouse, sink, rows, {
      did(count) {
        done += count;
        return Promise.resolve();
      },
      note: () => Promise.resolve(),
    });
    return done;
  };

  it('has the same chunks if rows have expired since it started', async () => {
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

  it('notes its progress before ClickHouse forgets its tokens, and continues with the same chunks', async () => {
    const records = Array.from({ length: 2_500 }, (_, at) => at * 500 + 3);
    const piece = { partition: 3, run: 'r', from: 0, to: 2_500 * 500 };
    const spans = { ...sink, rowsPerRecord: 'several' } as const;
    const noted: number[] = [];
    const progress = {
      did: () => Promise.resolve(),
      note(offset: number) {
        noted.push(offset);
        return Promise.resolve();
      },
    };
    const whole = tableOf(new Set(records));
    await copyRows(whole.clickhouse, spans, piece, progress);
    assert.deepEqual(noted, [500_000, 1_000_000]);
    const rest = tableOf(new Set(records));
    await copyRows(rest.clickhouse, spans, { ...piece, from: noted[1] ?? 0 }, progress);
    assert.deepEqual(rest.tokens, whole.tokens.slice(2_000));
  });

  it('copies nothing if there are no rows', async () => {
    const table = tableOf(new Set([5, 100_000]));
    assert.equal(await copy(table), 0);
    assert.deepEqual(table.tokens, []);
  });
});
