import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError, reasonOf } from '../errors.js';
import type { ClickHouse } from './client.js';
import { isRepeatable, splitStatements } from './statements.js';

/** One file `NNN-name.sql`; numbers are unique across all sinks and give the order. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** Reads the migrations of all folders. Throws MIGRATION_INVALID, which names the invalid file. */
export function readMigrations(folders: readonly string[]): readonly Migration[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => join(folder, name)),
  );
  const migrations = files.map(readMigration).sort((a, b) => a.number - b.number);
  migrations.forEach((migration, index) => {
    const former = migrations[index - 1];
    if (former?.number === migration.number)
      throw invalid(migration.name, `${former.name} has the same number`);
  });
  return migrations;
}

function readMigration(path: string): Migration {
  const name = basename(path, '.sql');
  const number = /^(\d{3})-/.exec(name)?.[1];
  if (number === undefined) throw invalid(name, 'its name does not begin with three digits and a hyphen');
  const text = readFileSync(path, 'utf8');
  const statements = splitStatements(text);
  const once = statements.find((statement) => !isRepeatable(statement));
  if (once !== undefined) throw invalid(name, `not repeatable: ${once.slice(0, 80)}`);
  return {
    number: Number(number),
    name,
    statements,
    checksum: createHash('sha256').update(text).digest('hex'),
  };
}

const invalid = (name: string, reason: string): TelltaleError =>
  new TelltaleError('MIGRATION_INVALID', { name, reason });

const database = 'telltale';
const recordTable = `${database}.schema_migrations`;

/**
 * Applies the migrations that are missing, and returns their names. Safe to repeat, and from several processes at once:
 * every statement is repeatable, and two processes record a migration as the same row. A statement that fails because
 * another process is at a later migration has been applied.
 */
export async function applyMigrations(
  migrations: readonly Migration[],
  clickhouse: ClickHouse,
): Promise<readonly string[]> {
  await clickhouse.command(`CREATE DATABASE IF NOT EXISTS ${database}`);
  await clickhouse.command(
    `CREATE TABLE IF NOT EXISTS ${recordTable} (number UInt16, name String, checksum String, applied_at DateTime DEFAULT now())
     ENGINE = ReplacingMergeTree ORDER BY number`,
  );
  const applied = await clickhouse.query<{ number: number; checksum: string }>(
    `SELECT number, any(checksum) AS checksum FROM ${recordTable} GROUP BY number`,
  );
  const checksums = new Map(applied.map((row) => [row.number, row.checksum]));
  const done: string[] = [];
  for (const migration of migrations) {
    const known = checksums.get(migration.number);
    if (known !== undefined && known !== migration.checksum) {
      throw new TelltaleError('MIGRATION_CHANGED', { name: migration.name });
    }
    if (known !== undefined) continue;
    await apply(migration, clickhouse);
    done.push(migration.name);
  }
  return done;
}

async function apply(
  { number, name, checksum, statements }: Migration,
  clickhouse: ClickHouse,
): Promise<void> {
  try {
    for (const statement of statements) await clickhouse.command(statement);
    const row = Buffer.from(`${JSON.stringify({ number, name, checksum })}\n`);
    await clickhouse.insert(recordTable, row, `migration-${number}-${checksum}`);
  } catch (cause) {
    if (await isApplied(number, checksum, clickhouse)) return;
    if (cause instanceof TelltaleError && cause.code === 'CLICKHOUSE_UNREACHABLE') throw cause;
    throw new TelltaleError('MIGRATION_FAILED', { name, reason: reasonOf(cause) }, { cause });
  }
}

const recordPatienceMs = 5_000;

/** Whether another process has applied it, or does so within `recordPatienceMs`. */
async function isApplied(number: number, checksum: string, clickhouse: ClickHouse): Promise<boolean> {
  const deadline = performance.now() + recordPatienceMs;
  for (;;) {
    const found = await clickhouse
      .query(`SELECT 1 FROM ${recordTable} WHERE number = {number:UInt16} AND checksum = {checksum:String}`, {
        number,
        checksum,
      })
      .catch(() => []);
    if (found.length > 0) return true;
    if (performance.now() > deadline) return false;
    await sleep(200);
  }
}
