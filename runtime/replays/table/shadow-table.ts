import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../clickhouse/client.js';

/** What a materialized view of a table writes to, and the view itself. */
export interface Rollup {
  readonly view: string;
  readonly target: string;
  readonly select: string;
}

const suffix = '_replay';
const gate = 'telltale_replay';

/** The table in which a replay makes the rows anew. */
export const shadowOf = (table: string): string => `${table}${suffix}`;

/** The materialized views that read the table, with their targets. */
export async function rollupsOf(clickhouse: ClickHouse, table: string): Promise<readonly Rollup[]> {
  const views = await clickhouse.query<{ view: string; text: string; select: string }>(
    `SELECT concat(database, '.', name) AS view, create_table_query AS text, as_select AS select
     FROM system.tables WHERE engine = 'MaterializedView' AND database = 'telltale' AND NOT endsWith(name, '${suffix}')
     ORDER BY name`,
  );
  return views.flatMap(({ view, text, select }) => {
    const target = /\bTO (telltale\.\w+)/.exec(text)?.[1];
    const isOfTable = new RegExp(`\\bFROM ${table.replace('.', '\\.')}\\b`).test(select);
    return target === undefined || !isOfTable ? [] : [{ view, target, select }];
  });
}

/** Makes the table and a twin of each rollup, which fill with it. Safe to repeat. */
export async function createShadow(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
): Promise<void> {
  await clickhouse.command(`CREATE TABLE IF NOT EXISTS ${shadowOf(table)} AS ${table}`);
  for (const { view, target, select } of rollups) {
    await clickhouse.command(`CREATE TABLE IF NOT EXISTS ${shadowOf(target)} AS ${target}`);
    const anew = select.replace(
      new RegExp(`\\bFROM ${table.replace('.', '\\.')}\\b`),
      `FROM ${shadowOf(table)}`,
    );
    await clickhouse.command(
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${shadowOf(view)} TO ${shadowOf(target)} AS ${anew}`,
    );
  }
}

/** Removes what a replay has made, or after the exchange what was there before it. Safe to repeat. */
export async function dropShadow(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
): Promise<void> {
  for (const { view, target } of rollups) {
    await clickhouse.command(`DROP TABLE IF EXISTS ${shadowOf(view)}`);
    await clickhouse.command(`DROP TABLE IF EXISTS ${shadowOf(target)}`);
  }
  await clickhouse.command(`DROP TABLE IF EXISTS ${shadowOf(table)}`);
}

/**
 * Lets the table take no row: a constraint that none satisfies. A sink takes this for an outage, waits and skips nothing,
 * and whoever reads is not disturbed. Resolves once the inserts that had begun before have ended.
 */
export async function closeGate(clickhouse: ClickHouse, table: string): Promise<void> {
  await clickhouse.command(`ALTER TABLE ${table} ADD CONSTRAINT IF NOT EXISTS ${gate} CHECK 0`);
  await untilInsertsEnd(clickhouse);
}

/** Resolves once the inserts that are under way now have ended. */
export async function untilInsertsEnd(clickhouse: ClickHouse): Promise<void> {
  const under = await inserting(clickhouse);
  for (;;) {
    const now = new Set(await inserting(clickhouse));
    if (!under.some((query) => now.has(query))) return;
    await sleep(50);
  }
}

export async function openGate(clickhouse: ClickHouse, table: string): Promise<void> {
  await clickhouse.command(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${gate}`);
}

/** The tables that a replay has closed to their sinks: for the exchange, or since its command was killed in it. */
export async function closedTables(clickhouse: ClickHouse): Promise<readonly string[]> {
  const found = await clickhouse.query<{ table: string }>(
    `SELECT concat(database, '.', name) AS table FROM system.tables
     WHERE database = 'telltale' AND position(create_table_query, 'CONSTRAINT ${gate} CHECK 0') > 0
       AND NOT endsWith(name, '${suffix}') ORDER BY table`,
  );
  return found.map(({ table }) => table);
}

async function inserting(clickhouse: ClickHouse): Promise<readonly string[]> {
  const found = await clickhouse.query<{ query_id: string }>(
    `SELECT query_id FROM system.processes WHERE query_kind = 'Insert'`,
  );
  return found.map(({ query_id }) => query_id);
}

/**
 * Puts the shadow in the place of the table, whose gate is closed, and each twin in that of its rollup first. A view
 * knows tables by their names, so the table's views go on with what has taken its place. Safe to repeat from any line:
 * a constraint marks what has not been exchanged yet.
 */
export async function exchange(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
): Promise<void> {
  // The table goes last: with it the gate is gone, and rows come in.
  for (const name of [...rollups.map(({ target }) => target), table])
    if (await isMarked(clickhouse, name))
      await clickhouse.command(`EXCHANGE TABLES ${name} AND ${shadowOf(name)}`);
}

/** Marks what is to be exchanged; CHECK 1 refuses nothing. The table itself is marked by its gate. */
export async function markRollups(clickhouse: ClickHouse, rollups: readonly Rollup[]): Promise<void> {
  for (const { target } of rollups)
    await clickhouse.command(`ALTER TABLE ${target} ADD CONSTRAINT IF NOT EXISTS ${gate} CHECK 1`);
}

async function isMarked(clickhouse: ClickHouse, table: string): Promise<boolean> {
  const [found] = await clickhouse.query<{ text: string }>(
    `SELECT create_table_query AS text FROM system.tables WHERE concat(database, '.', name) = {table:String}`,
    { table },
  );
  return found?.text.includes(`CONSTRAINT ${gate} `) ?? false;
}
