import { TelltaleError } from '../../errors.js';
import type { ClickHouse } from '../../clickhouse/client.js';
import type { Sink, TableOrder } from '../../sink.js';
import { openAllGates } from '../../clickhouse/gate.js';

/** A materialized view of a table, and the table that it writes to. */
export interface Rollup {
  readonly view: string;
  readonly target: string;
  readonly select: string;
}

const ofReplay = '_replay_[0-9a-f]{8}$';

/**
 * The table into which a replay writes the rows again. Its name contains its holder: a superseded command that
 * continues late finds no table under the name that it knows.
 */
export const shadowOf = (table: string, holder: string): string => `${table}_replay_${holder}`;

/** The materialized views that read the table, with their targets. */
export async function rollupsOf(clickhouse: ClickHouse, table: string): Promise<readonly Rollup[]> {
  const views = await clickhouse.query<{ view: string; text: string; select: string }>(
    `SELECT concat(database, '.', name) AS view, create_table_query AS text, as_select AS select
     FROM system.tables WHERE engine = 'MaterializedView' AND database = 'telltale' AND NOT match(name, '${ofReplay}')
     ORDER BY name`,
  );
  return views.flatMap(({ view, text, select }) => {
    const target = /\bTO (telltale\.\w+)/.exec(text)?.[1];
    return target === undefined || !fromTable(table).test(select) ? [] : [{ view, target, select }];
  });
}

const fromTable = (table: string): RegExp => new RegExp(`\\bFROM ${table.replace('.', '\\.')}\\b`);

/** Creates the shadow, and a copy of each rollup that fills along with it. */
export async function createShadow(
  clickhouse: ClickHouse,
  { table, order }: Pick<Sink, 'table' | 'order'>,
  rollups: readonly Rollup[],
  holder: string,
): Promise<void> {
  for (const name of [table, ...rollups.map(({ target }) => target)]) {
    const shadow = shadowOf(name, holder);
    await clickhouse.command(
      name === table && order !== undefined
        ? await inNewOrder(clickhouse, { table, order, shadow })
        : `CREATE TABLE IF NOT EXISTS ${shadow} AS ${name}`,
    );
    // The gate of a killed command does not belong to the new table.
    await openAllGates(clickhouse, shadow);
  }
  for (const projection of order?.replaces ?? [])
    await clickhouse.command(
      `ALTER TABLE ${shadowOf(table, holder)} DROP PROJECTION IF EXISTS ${projection}`,
    );
  for (const { view, target, select } of rollups)
    await clickhouse.command(
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${shadowOf(view, holder)} TO ${shadowOf(target, holder)}
       AS ${select.replace(fromTable(table), `FROM ${shadowOf(table, holder)}`)}`,
    );
}

/**
 * The statement that creates the table under another name and in another order, and is otherwise unchanged.
 */
async function inNewOrder(
  clickhouse: ClickHouse,
  { table, order, shadow }: { readonly table: string; readonly order: TableOrder; readonly shadow: string },
): Promise<string> {
  const [found] = await clickhouse.query<{ text: string; sorted: string }>(
    `SELECT create_table_query AS text, sorting_key AS sorted FROM system.tables
     WHERE concat(database, '.', name) = {table:String}`,
    { table },
  );
  const { text = '', sorted = '' } = found ?? {};
  return text
    .replace(`CREATE TABLE ${table} `, `CREATE TABLE IF NOT EXISTS ${shadow} `)
    .replace(` ORDER BY (${sorted}) `, ` ORDER BY (${order.by}) `);
}

/** Rejects with REPLAY_IMPOSSIBLE if somebody has removed the shadow: what was read into it is lost. */
export async function checkShadow(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
  holder: string,
): Promise<void> {
  for (const { target, view } of [{ target: table, view: table }, ...rollups])
    for (const name of [shadowOf(target, holder), shadowOf(view, holder)])
      if (!(await exists(clickhouse, name)))
        throw new TelltaleError('REPLAY_IMPOSSIBLE', {
          table,
          reason: `${name} is gone, and so is the work so far; cancel the replay, and start a new one`,
        });
}

/** Removes the tables that a replay created or, after the exchange, the former ones. Safe to repeat. */
export async function dropShadow(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
  holder: string,
): Promise<void> {
  await dropViews(clickhouse, rollups, holder);
  for (const name of [...rollups.map(({ target }) => target), table])
    // Without the setting, ClickHouse refuses to drop more than 50 GB.
    await clickhouse.command(
      `DROP TABLE IF EXISTS ${shadowOf(name, holder)} SETTINGS max_table_size_to_drop = 0`,
    );
}

/** Removes a shadow's views: they are no longer needed once nothing more is written to it. */
export async function dropViews(
  clickhouse: ClickHouse,
  rollups: readonly Rollup[],
  holder: string,
): Promise<void> {
  for (const { view } of rollups) await clickhouse.command(`DROP TABLE IF EXISTS ${shadowOf(view, holder)}`);
}

/** Every holder that has a shadow of the table, or of a rollup of it. */
export async function holdersOf(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
): Promise<readonly string[]> {
  const found = await clickhouse.query<{ shadow: string }>(
    `SELECT concat(database, '.', name) AS shadow FROM system.tables
     WHERE database = 'telltale' AND match(name, '${ofReplay}')`,
  );
  const originals = new Set([table, ...rollups.flatMap(({ view, target }) => [view, target])]);
  const holders = found.flatMap(({ shadow }) => {
    const [, original = '', holder = ''] = /^(.+)_replay_([0-9a-f]{8})$/.exec(shadow) ?? [];
    return originals.has(original) ? [holder] : [];
  });
  return [...new Set(holders)];
}

/** Renames a shadow to another holder; it no longer exists under its former name. Safe to repeat. */
export async function takeShadow(
  clickhouse: ClickHouse,
  name: string,
  from: string,
  to: string,
): Promise<void> {
  if (await exists(clickhouse, shadowOf(name, from)))
    await clickhouse.command(`RENAME TABLE ${shadowOf(name, from)} TO ${shadowOf(name, to)}`);
}

async function exists(clickhouse: ClickHouse, table: string): Promise<boolean> {
  const found = await clickhouse.query(
    `SELECT 1 FROM system.tables WHERE concat(database, '.', name) = {table:String}`,
    { table },
  );
  return found.length > 0;
}
