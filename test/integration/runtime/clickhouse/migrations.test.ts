import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationFolders } from '../../../../cli/commands/migrate.js';
import { sinks } from '../../../../cli/sinks.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { applyMigrations, readMigrations } from '../../../../runtime/clickhouse/migrations.js';
import { runTelltale, stackEnvironment } from '../../../support/roles.js';
import { theStack, type TestStack } from '../../../support/stack.js';

describe('migrations', () => {
  let stack: TestStack;
  let clickhouse: ClickHouse;
  let folder: string;

  before(async () => {
    stack = await theStack();
    const { url, writer } = stack.clickhouse;
    clickhouse = connectClickHouse({ url, ...writer });
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  });

  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await clickhouse.close();
  });

  it('bring an empty server to what the code expects, from four processes at once, and can be repeated', async () => {
    const environment = stackEnvironment(stack);
    await Promise.all([1, 2, 3, 4].map(() => runTelltale(['migrate'], environment)));
    assert.match(await runTelltale(['migrate'], environment), /as the code expects/);
    const [count] = await clickhouse.query<{ rows: string }>(
      'SELECT count() AS rows FROM telltale.scoring_results',
    );
    assert.ok(count);
    const unindexed = await clickhouse.query(
      `SELECT arrayJoin({tables:Array(String)}) AS name WHERE name NOT IN
       (SELECT concat(database, '.', table) FROM system.data_skipping_indices WHERE name = 'by_offset')`,
      { tables: sinks.map(({ table }) => table) },
    );
    assert.deepEqual(unindexed, [], 'a sink finds its position without reading its table whole');
  });

  it('are refused once they were changed after they had been applied', async () => {
    const file = join(folder, '900-try.sql');
    writeFileSync(file, 'CREATE TABLE IF NOT EXISTS telltale.try (a UInt8) ENGINE = Memory;');
    assert.deepEqual(await applyMigrations(readMigrations([folder]), clickhouse), ['900-try']);
    assert.deepEqual(await applyMigrations(readMigrations([folder]), clickhouse), []);
    writeFileSync(file, 'CREATE TABLE IF NOT EXISTS telltale.try (a UInt16) ENGINE = Memory;');
    await assert.rejects(applyMigrations(readMigrations([folder]), clickhouse), {
      code: 'MIGRATION_CHANGED',
    });
  });

  it('with a number twice, or a statement that cannot be repeated, are refused by name', () => {
    const other = mkdtempSync(join(tmpdir(), 'migrations-'));
    writeFileSync(join(other, '001-again.sql'), 'CREATE TABLE IF NOT EXISTS t (a UInt8) ENGINE = Memory');
    assert.throws(() => readMigrations([...migrationFolders(), other]), /001-again|001-scoring-results/);
    writeFileSync(join(other, '001-again.sql'), 'INSERT INTO t VALUES (1)');
    assert.throws(() => readMigrations([other]), /not repeatable/);
    rmSync(other, { recursive: true });
  });

  it('are not repeated by an insert under a token that is known', async () => {
    await clickhouse.command(
      'CREATE TABLE IF NOT EXISTS telltale.once (a UInt32) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100',
    );
    const rows = Buffer.from('{"a":1}\n{"a":2}\n');
    for (let tries = 0; tries < 3; tries++) await clickhouse.insert('telltale.once', rows, 'range-1');
    const [found] = await clickhouse.query<{ rows: string }>('SELECT count() AS rows FROM telltale.once');
    assert.equal(Number(found?.rows), 2);
    await assert.rejects(clickhouse.insert('telltale.once', Buffer.from('{"a":"x"}\n'), 'range-2'), {
      code: 'ROWS_REJECTED',
    });
  });
});
