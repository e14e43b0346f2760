import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pipeline } from '../../../../cli/pipeline.js';
import { sinks } from '../../../../cli/sinks.js';
import { audit, type Audit } from '../../../../runtime/clickhouse/audit.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { expiryOf } from '../../../../runtime/clickhouse/expiry.js';
import { clusterOverviewSink } from '../../../../sinks/clusters/tables.js';
import { scoringResultsSink } from '../../../../sinks/scoring-results/index.js';
import { migrateTables } from '../../../support/applied.js';
import { runCommand } from '../../../support/commands.js';
import { replaceByEmptyTable } from '../../../support/own-table.js';
import { insertResults, type ResultRow } from '../../../support/result-rows.js';
import { runTelltale, stackEnvironment } from '../../../support/roles.js';
import { theStack } from '../../../support/stack.js';

const migrations = 'telltale.schema_migrations';
const now = Date.now() * 1_000;

const dayMicros = 86_400_000_000;

function row(partition: number, offset: number, previous: number, daysAgo?: number): ResultRow {
  const result = {
    id: randomUUID(),
    workspace: 'harbour',
    key_id: 'k1',
    lane: 'task',
    metric: 'text_sentiment',
    prompt: 'All well.',
    response: null,
    metrics: null,
    error: 'no model',
    scorer_versions: {},
    accepted_at: now,
    appended_at: now,
    taken_at: now,
    scored_at: now,
    version: 0,
    pattern_places: {},
  };
  const origin = { partition, offset, previous, resultAppendedAt: now, ...arrival(daysAgo) };
  return { value: result, origin };
}

const arrival = (daysAgo?: number): { readonly insertedAt?: number } =>
  daysAgo === undefined ? {} : { insertedAt: now - daysAgo * dayMicros };

describe('telltale audit', () => {
  let environment: Readonly<Record<string, string>>;
  let clickhouse: ClickHouse;
  let putBack: (() => Promise<void>) | undefined;

  const insert = (...rows: readonly ResultRow[]): Promise<void> => insertResults(clickhouse, rows);

  before(async () => {
    const stack = await theStack();
    environment = stackEnvironment(stack);
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  });

  beforeEach(async () => {
    putBack = await replaceByEmptyTable(clickhouse, scoringResultsSink.table);
    // Offsets of control records are no gaps, because each row names the record before it.
    await insert(row(0, 0, -1), row(0, 1, 0), row(0, 3, 1), row(0, 9, 3), row(1, 7, -1), row(1, 8, 7));
  });

  afterEach(async () => putBack?.());
  after(async () => clickhouse.close());

  /** The audit itself. Tests of the output and exit code run the command instead. */
  const found = (): Promise<Audit> => audit(clickhouse, sinks);

  it('finds nothing wrong if every record is there once, whichever offsets are missing', async () => {
    assert.deepEqual(await found(), { duplicates: 0, gaps: 0, expired: 0 });
  });

  it('counts every copy beyond the first, and fails', async () => {
    await insert(row(0, 9, 3));
    await insert(row(0, 9, 3), row(1, 7, -1));
    await assert.rejects(runTelltale(['audit', '--json'], environment), {
      message: /exited with 1:\n\{"duplicates":3,"gaps":0,"expired":0\}/,
    });
  });

  it('counts a result that was appended twice, though each offset is there once', async () => {
    const first = row(0, 10, 9);
    const at = (offset: number, previous: number) => ({ ...first.origin, offset, previous });
    await insert(first, { value: { ...first.value, version: 1 }, origin: at(11, 10) });
    assert.deepEqual(await found(), { duplicates: 0, gaps: 0, expired: 0 });
    await insert({ value: first.value, origin: at(12, 11) });
    assert.deepEqual(await found(), { duplicates: 1, gaps: 0, expired: 0 });
  });

  it('counts a snapshot that was appended twice', async () => {
    const { table } = clusterOverviewSink;
    const restore = await replaceByEmptyTable(clickhouse, table);
    try {
      const append = (snapshot: string, offset: number, previous: number) =>
        clickhouse.command(
          `INSERT INTO ${table} (workspace, snapshot_id, _offset, _previous_offset, _index, _rows)
           VALUES ('harbour', '${snapshot}', ${offset}, ${previous}, 0, 1)`,
        );
      await append('first', 0, -1);
      await append('second', 1, 0);
      assert.deepEqual(await found(), { duplicates: 0, gaps: 0, expired: 0 });
      await append('first', 2, 1);
      assert.deepEqual(await found(), { duplicates: 1, gaps: 0, expired: 0 });
    } finally {
      await restore();
    }
  });

  it('counts every record whose predecessor is missing, and fails', async () => {
    await insert(row(0, 14, 12), row(1, 10, 9));
    await assert.rejects(runCommand(['audit'], environment), { message: /0 duplicates, 2 gaps/ });
  });

  it('does not take a row of another partition for the missing one', async () => {
    await insert(row(1, 20, 9));
    assert.deepEqual(await found(), { duplicates: 0, gaps: 1, expired: 0 });
  });

  it('counts a gap before the very first row if nothing can have expired yet', async () => {
    await insert(row(2, 5, 3));
    assert.deepEqual(await found(), { duplicates: 0, gaps: 1, expired: 0 });
  });

  describe('in an installation older than the retention of its rows', () => {
    let forget: (() => Promise<void>) | undefined;

    beforeEach(async () => {
      forget = await replaceByEmptyTable(clickhouse, migrations);
      const first = { number: 1, name: '001', checksum: '', applied_at: '2020-01-01 00:00:00' };
      await clickhouse.insert(migrations, Buffer.from(`${JSON.stringify(first)}\n`), randomUUID());
      await clickhouse.command(`SYSTEM STOP TTL MERGES ${scoringResultsSink.table}`);
    });

    afterEach(async () => {
      await clickhouse.command(`SYSTEM START TTL MERGES ${scoringResultsSink.table}`);
      await forget?.();
    });

    it('passes if the rows before the first ones have expired, and says so', async () => {
      // Some rows are 401 days old: ClickHouse decides which expired rows it has dropped so far.
      await insert(row(2, 5, 3, 401), row(2, 8, 6, 401), row(2, 9, 8, 3), row(2, 10, 9, 3), row(3, 70, 69));
      assert.deepEqual(await found(), { duplicates: 0, gaps: 0, expired: 3 });
      assert.match(
        await runCommand(['audit'], environment),
        /telltale\.scoring_result_versions, .*: 0 duplicates, 0 gaps\. 3 rows that .* might have expired/,
      );
    });

    it('still counts a gap if a row is missing after one that has not expired', async () => {
      await insert(row(2, 5, 3, 401), row(2, 8, 5, 399), row(2, 11, 10, 399));
      assert.deepEqual(await found(), { duplicates: 0, gaps: 1, expired: 1 });
    });
  });

  it('knows how long after arrival each table keeps its rows', async () => {
    for (const { table } of pipeline) {
      if (table === undefined) continue;
      const { timestamp, days = 0 } = (await expiryOf(clickhouse, table)) ?? {};
      assert.match(timestamp ?? 'nothing', /^to(Date|DateTime)\((inserted|appended)_at\)$/, table);
      assert.ok(days >= 14, table);
    }
  });
});
