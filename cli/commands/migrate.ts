import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectClickHouse, writerOptions, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { applyMigrations, readMigrations } from '../../runtime/clickhouse/migrations.js';
import { readConfig } from '../../runtime/config.js';
import { clickhouseConfig } from '../../runtime/clickhouse/config.js';
import { silentLogger } from '../../runtime/logging.js';
import type { AddCommand } from '../command.js';

const sinks = fileURLToPath(new URL('../../sinks/', import.meta.url));

/** The migration folders, one per sink. */
export function migrationFolders(): readonly string[] {
  return readdirSync(sinks)
    .map((sink) => join(sinks, sink, 'migrations'))
    .filter((folder) => existsSync(folder));
}

/** A ClickHouse client for the writer's account, from the environment. */
export function clickhouseFromEnvironment(): ClickHouse {
  return connectClickHouse(writerOptions(readConfig(clickhouseConfig, process.env), silentLogger));
}

/** `telltale migrate`: migrates the tables to the schema that the code expects. */
export const addMigrate: AddCommand = (program) => {
  program
    .command('migrate')
    .description('create and change tables in ClickHouse; safe to repeat, from several processes at once')
    .action(async () => {
      const clickhouse = clickhouseFromEnvironment();
      try {
        const done = await applyMigrations(readMigrations(migrationFolders()), clickhouse);
        console.log(done.length === 0 ? 'The tables are as the code expects.' : `applied ${done.join(', ')}`);
      } finally {
        await clickhouse.close();
      }
    });
};
