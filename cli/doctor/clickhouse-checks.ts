import { audit, type AuditedTable } from '../../runtime/clickhouse/audit.js';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import type { Migration } from '../../runtime/clickhouse/migrations.js';
import { firstLine } from '../../runtime/clickhouse/failures.js';
import { TelltaleError } from '../../runtime/errors.js';
import { closedTables } from '../../runtime/clickhouse/gate.js';
import { good, named, problem, warning, type Check, type Look } from './check.js';

/** Used fraction of a disk. The rest must hold new rows, and merges, until an operator adds disk space. */
const fullDisk = { warning: 0.85, problem: 0.95 } as const;
/** ClickHouse slows inserts down at 1,000 parts per partition, and refuses them at 3,000. */
const manyParts = { warning: 300, problem: 1_000 } as const;

/** Earlier releases show the sorting keys of all workspaces to an analyst of one (docs/guarantees.md). */
const withRowFilters: readonly (readonly number[])[] = [
  [26, 3, 22, 6],
  [26, 6, 4, 10],
  [26, 7, 6, 5],
];

export function clickhouseChecks(
  clickhouse: ClickHouse,
  tables: readonly AuditedTable[],
  migrations: readonly Migration[],
): readonly Check[] {
  return [
    { name: 'ClickHouse', look: () => answers(clickhouse) },
    { name: 'migrations', look: () => migrationsApplied(clickhouse, migrations) },
    { name: 'disk of ClickHouse', look: () => roomOnDisk(clickhouse) },
    { name: 'replays', look: () => tablesOpen(clickhouse) },
    { name: 'merges', look: () => mergesKeepUp(clickhouse) },
    { name: 'audit', look: () => rowsOnce(clickhouse, tables) },
  ];
}

async function answers(clickhouse: ClickHouse): Promise<Look> {
  try {
    const [row] = await clickhouse.query<{ version: string }>('SELECT version() AS version');
    return ofVersion(String(row?.version));
  } catch (error) {
    return error instanceof TelltaleError && error.code === 'CLICKHOUSE_UNREACHABLE'
      ? problem(
          'ClickHouse does not answer.',
          'Start it, or set CLICKHOUSE_URL. The sinks wait and lose nothing.',
        )
      : problem(
          `ClickHouse refused: ${firstLine(error instanceof TelltaleError ? error.cause : error)}`,
          'Set the account that writes, CLICKHOUSE_WRITER_USER and CLICKHOUSE_WRITER_PASSWORD. `npm start` keeps it in .telltale/secrets.env.',
        );
  }
}

const ofVersion = (version: string): Look =>
  keepsRowFilters(version)
    ? good(`Version ${version} answers.`)
    : warning(
        `Version ${version} shows ids of all workspaces to an analyst of one.`,
        'If others have analyst accounts, upgrade to 26.3.22.6, 26.6.4.10, 26.7.6.5 or later.',
      );

async function migrationsApplied(clickhouse: ClickHouse, migrations: readonly Migration[]): Promise<Look> {
  const applied = await clickhouse.query<{ number: number; checksum: string }>(
    'SELECT number, any(checksum) AS checksum FROM telltale.schema_migrations GROUP BY number',
  );
  const known = new Map(applied.map(({ number, checksum }) => [number, checksum]));
  const changed = migrations.filter(({ number, checksum }) => (known.get(number) ?? checksum) !== checksum);
  if (changed.length > 0)
    return problem(
      `Migrations were changed after they had been applied: ${named(changed.map(({ name }) => name))}.`,
      'Run the version of Telltale that applied them, or restore the files.',
    );
  const open = migrations.filter(({ number }) => !known.has(number));
  return open.length > 0
    ? problem(`Not applied: ${named(open.map(({ name }) => name))}.`, 'Run `telltale migrate`.')
    : good(`All ${migrations.length} are applied.`);
}

async function roomOnDisk(clickhouse: ClickHouse): Promise<Look> {
  const disks = await clickhouse.query<{ name: string; used: number; free_gib: number }>(
    `SELECT name, 1 - free_space / total_space AS used, round(free_space / 1073741824, 1) AS free_gib
     FROM system.disks WHERE total_space > 0 AND type = 'Local' ORDER BY used DESC`,
  );
  const [fullest] = disks;
  if (fullest === undefined) return good('It has no local disk.');
  const { name, used, free_gib: free } = fullest;
  const detail = `Disk ${name} is ${Math.round(used * 100)} % full, ${free} GiB are free.`;
  const cure =
    'Give it more room, or shorten how long tables are kept (docs/analytics.md); the sinks wait while inserts fail.';
  if (used > fullDisk.problem) return problem(detail, cure);
  return used > fullDisk.warning ? warning(detail, cure) : good(detail);
}

async function tablesOpen(clickhouse: ClickHouse): Promise<Look> {
  const closed = await closedTables(clickhouse);
  return closed.length > 0
    ? warning(
        `A replay has closed ${named(closed)} to the sinks, which wait. It takes seconds, unless its command was killed.`,
        'If no process works on it (`telltale replays list`), run `telltale replay table` again, or end it with `telltale replays cancel`.',
      )
    : good('No replay keeps a table closed.');
}

async function mergesKeepUp(clickhouse: ClickHouse): Promise<Look> {
  const [most] = await clickhouse.query<{ name: string; parts: string }>(
    `SELECT concat(database, '.', table) AS name, count() AS parts FROM system.parts
     WHERE active AND database = 'telltale' GROUP BY database, table, partition_id ORDER BY parts DESC LIMIT 1`,
  );
  const stuck = await clickhouse.query<{ name: string; reason: string }>(
    `SELECT concat(database, '.', table) AS name, latest_fail_reason AS reason FROM system.mutations
     WHERE database = 'telltale' AND NOT is_done AND latest_fail_reason != '' LIMIT 5`,
  );
  if (stuck.length > 0)
    return problem(
      `Mutations fail: ${named(stuck.map(({ name, reason }) => `${name}: ${reason.slice(0, 200)}`))}.`,
      'Fix what the reason says, or cancel the mutation with KILL MUTATION.',
    );
  const parts = Number(most?.parts ?? 0);
  const detail =
    most === undefined ? 'No table has parts.' : `${most.name} has ${parts} parts in a partition.`;
  const cure =
    'Give ClickHouse more cores or a faster disk; raise SINK_BUSY_WAIT_MS for fewer, larger inserts.';
  if (parts > manyParts.problem) return problem(detail, cure);
  return parts > manyParts.warning ? warning(detail, cure) : good(detail);
}

async function rowsOnce(clickhouse: ClickHouse, tables: readonly AuditedTable[]): Promise<Look> {
  const { duplicates, gaps, expired } = await audit(clickhouse, tables);
  const old = expired === 0 ? '' : ` ${expired} might have expired.`;
  return duplicates + gaps > 0
    ? problem(
        `${duplicates} rows are stored more than once, and ${gaps} are missing.${old}`,
        '`telltale audit --repair` fills gaps from the topics; `telltale replay table` rebuilds a table with duplicate rows.',
      )
    : good(`Every record of Kafka is in its table exactly once.${old}`);
}

function keepsRowFilters(version: string): boolean {
  const parts = version.split('.').map(Number);
  const ofRelease = withRowFilters.find(([major, minor]) => parts[0] === major && parts[1] === minor);
  return isAtLeast(parts, ofRelease ?? [26, 8]);
}

function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  for (const [index, part] of least.entries()) {
    const mine = version[index] ?? 0;
    if (mine !== part) return mine > part;
  }
  return true;
}
