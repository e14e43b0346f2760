import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from './client.js';

type Statements = Pick<ClickHouse, 'query' | 'command'>;

/**
 * A gate is a constraint that no row satisfies. A sink treats it as an outage: it waits and skips nothing.
 * Readers are not affected. The gate is named after the command that closed it, so that a superseded command
 * can't open its successor's gate.
 */
const gateOf = (owner: string): string => `telltale_replay_${owner}`;

/** Makes the table refuse every row. Resolves once all inserts that started earlier have ended. */
export async function closeGate(clickhouse: Statements, table: string, owner: string): Promise<void> {
  await clickhouse.command(`ALTER TABLE ${table} ADD CONSTRAINT IF NOT EXISTS ${gateOf(owner)} CHECK 0`);
  await untilInsertsEnd(clickhouse);
}

export async function openGate(clickhouse: Statements, table: string, owner: string): Promise<void> {
  await clickhouse.command(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${gateOf(owner)}`);
}

/** Opens the gates of all commands. Only for a caller that knows that no command is working behind one. */
export async function openAllGates(clickhouse: Statements, table: string): Promise<void> {
  for (const [, owner = ''] of (await definitionOf(clickhouse, table)).matchAll(
    /CONSTRAINT telltale_replay_(\w+) /g,
  ))
    await openGate(clickhouse, table, owner);
}

/** Marks a rollup that is to be exchanged, as the gate marks its table; CHECK 1 refuses nothing. */
export async function mark(clickhouse: Statements, table: string, owner: string): Promise<void> {
  await clickhouse.command(`ALTER TABLE ${table} ADD CONSTRAINT IF NOT EXISTS ${gateOf(owner)} CHECK 1`);
}

export async function isMarked(clickhouse: Statements, table: string, owner: string): Promise<boolean> {
  return (await definitionOf(clickhouse, table)).includes(`CONSTRAINT ${gateOf(owner)} `);
}

/** The tables that a replay has closed to their sinks: for the exchange, or killed during it. */
export async function closedTables(clickhouse: Statements): Promise<readonly string[]> {
  const found = await clickhouse.query<{ table: string }>(
    `SELECT concat(database, '.', name) AS table FROM system.tables
     WHERE database = 'telltale' AND match(create_table_query, 'CONSTRAINT telltale_replay_\\\\w+ CHECK 0')
       AND NOT match(name, '_replay_[0-9a-f]{8}$') ORDER BY table`,
  );
  return found.map(({ table }) => table);
}

/** Resolves once the inserts in progress now have ended. */
export async function untilInsertsEnd(clickhouse: Statements): Promise<void> {
  const under = await inserting(clickhouse);
  for (;;) {
    const now = new Set(await inserting(clickhouse));
    if (!under.some((query) => now.has(query))) return;
    await sleep(50);
  }
}

async function inserting(clickhouse: Statements): Promise<readonly string[]> {
  const found = await clickhouse.query<{ query_id: string }>(
    `SELECT query_id FROM system.processes WHERE query_kind = 'Insert'`,
  );
  return found.map(({ query_id }) => query_id);
}

async function definitionOf(clickhouse: Statements, table: string): Promise<string> {
  const [found] = await clickhouse.query<{ text: string }>(
    `SELECT create_table_query AS text FROM system.tables WHERE concat(database, '.', name) = {table:String}`,
    { table },
  );
  return found?.text ?? '';
}
