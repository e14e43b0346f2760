import assert from 'node:assert/strict';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import type { Account } from '../../../stack/server.js';
import { analystAccount } from '../../../stack/clickhouse/workspace-analysts.js';
import { migrateTables } from '../../support/applied.js';
import { theStack, type TestStack } from '../../support/stack.js';

interface Table {
  readonly name: string;
  readonly engine: string;
  readonly hasWorkspace: boolean;
  /** Filled with recent timestamps, so that no row expires while the test runs. */
  readonly columns: readonly string[];
}

const tablesQuery = `
  SELECT any(t.engine) AS engine, c.table AS name, countIf(c.name = 'workspace') > 0 AS hasWorkspace,
    groupArrayIf(c.name, match(c.type, '^Date') AND c.default_kind NOT IN ('ALIAS', 'MATERIALIZED')) AS columns
  FROM system.columns AS c JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
  WHERE c.database = 'telltale' AND NOT startsWith(c.table, '.') AND NOT startsWith(c.table, 'schema_')
  GROUP BY c.table ORDER BY c.table`;

describe('analysts in ClickHouse', () => {
  let stack: TestStack;
  let writer: ClickHouse;
  let tables: readonly Table[];
  const workspaces = ['fenced-a', 'fenced.b'];

  const ask = async ({ user, password }: Account, sql: string): Promise<string> => {
    const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
    const response = await fetch(stack.clickhouse.url, { method: 'POST', body: sql, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trim();
  };
  const workspaceAnalysts = (): readonly Account[] => stack.clickhouse.workspaceAnalysts.map(analystAccount);
  const filled = (): readonly Table[] =>
    tables.filter(({ engine, hasWorkspace }) => engine.endsWith('MergeTree') && hasWorkspace);

  before(async () => {
    stack = await theStack();
    await migrateTables(stack);
    writer = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    tables = await writer.query<Table>(tablesQuery);
    for (const { name, columns } of filled()) {
      const now = columns.map(() => 'now()');
      const rows = workspaces.map((workspace) => `(${[`'${workspace}'`, ...now].join(', ')})`);
      await writer.command(
        `INSERT INTO telltale.${name} (${['workspace', ...columns].join(', ')}) VALUES ${rows.join(', ')}`,
      );
    }
  });

  after(async () => {
    for (const { name } of filled())
      await writer.command(
        `ALTER TABLE telltale.${name} DELETE WHERE startsWith(workspace, 'fenced') SETTINGS mutations_sync = 1`,
      );
    await writer.close();
  });

  it('of a workspace see its rows alone, in every table and view that they can read', async () => {
    for (const [index, account] of workspaceAnalysts().entries()) {
      const readable: string[] = [];
      for (const { name } of tables) {
        const seen = await ask(account, `SELECT DISTINCT workspace FROM telltale.${name}`).catch(String);
        if (/ACCESS_DENIED|UNKNOWN_IDENTIFIER/.test(seen)) continue;
        assert.equal(seen, workspaces[index], name);
        readable.push(name);
      }
      const expected = tables.filter(
        ({ hasWorkspace, engine }) => hasWorkspace && engine !== 'MaterializedView',
      );
      assert.deepEqual(readable, expected.map(({ name }) => name)); // prettier-ignore
    }
  });

  it('of a workspace read no table that has no filter for them, whole or in part', async () => {
    for (const account of workspaceAnalysts())
      for (const { name } of tables.filter(
        (table) => !table.hasWorkspace || table.engine === 'MaterializedView',
      ))
        await assert.rejects(ask(account, `SELECT * FROM telltale.${name}`), /ACCESS_DENIED/, name);
  });

  it('of a workspace see nothing of another through counts, table functions, and system tables', async () => {
    const [account] = workspaceAnalysts();
    assert.ok(account);
    assert.equal(await ask(account, 'SELECT count(), max(workspace) FROM telltale.events'), '1\tfenced-a');
    const merged =
      "SELECT DISTINCT workspace FROM merge('telltale', '^(events|otel_traces|scoring_results)$')";
    assert.equal(await ask(account, merged), 'fenced-a');
    for (const table of ['processes', 'parts', 'query_log', 'row_policies', 'users', 'text_log'])
      await assert.rejects(
        ask(account, `SELECT * FROM system.${table}`),
        /ACCESS_DENIED|UNKNOWN_TABLE/,
        table,
      );
  });

  it('change no setting that lifts a limit', async () => {
    for (const account of [stack.clickhouse.analyst, ...workspaceAnalysts()]) {
      for (const setting of ['max_memory_usage = 0', 'max_untracked_memory = 100000000000', 'readonly = 0'])
        await assert.rejects(ask(account, `SELECT 1 SETTINGS ${setting}`), /READONLY/, setting);
      for (const setting of ['max_execution_time = 0', 'max_execution_time = 1000', 'max_result_rows = 0'])
        await assert.rejects(ask(account, `SELECT 1 SETTINGS ${setting}`), /CONSTRAINT_VIOLATION/, setting);
      assert.equal(await ask(account, 'SELECT 1 SETTINGS max_execution_time = 5'), '1');
    }
  });

  it('are stopped by the limits of memory and of rows', async () => {
    const { analyst } = stack.clickhouse;
    await assert.rejects(ask(analyst, 'SELECT groupArray(number) FROM numbers(200000000)'), /MEMORY_LIMIT/);
    await assert.rejects(ask(analyst, 'SELECT count() FROM numbers(3000000000)'), /TOO_MANY_ROWS/);
  });

  it('have a limited number of queries at a time, and leave slots to the writer', async () => {
    const { analyst } = stack.clickhouse;
    const queries = Array.from({ length: 14 }, () => ask(analyst, 'SELECT sleep(3)'));
    const ends = Promise.allSettled(queries);
    await assert.rejects(Promise.all(queries), /TOO_MANY_SIMULTANEOUS_QUERIES/);
    assert.deepEqual(await writer.query('SELECT 1 AS one'), [{ one: 1 }]);
    await ends;
  });
});
