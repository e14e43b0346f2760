import { audit, type Audit } from '../../runtime/clickhouse/audit.js';
import type { AddCommand } from '../command.js';
import { pipeline } from '../pipeline.js';
import { clickhouseFromEnvironment } from './migrate.js';

const tables = pipeline.flatMap(({ table }) => (table === undefined ? [] : [table]));

/** `telltale audit`: whether every record of Kafka is in its table once. Exits with 1 where one is not. */
export const addAudit: AddCommand = (program) => {
  program
    .command('audit')
    .description('count duplicates and gaps in the tables of all sinks; exit code 1 where there are any')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const clickhouse = clickhouseFromEnvironment();
      try {
        const found = await audit(clickhouse, tables);
        console.log(json ? JSON.stringify(found) : inWords(found));
        if (found.duplicates + found.gaps > 0) process.exitCode = 1;
      } finally {
        await clickhouse.close();
      }
    });
};

function inWords({ duplicates, gaps, expired }: Audit): string {
  const old = expired === 0 ? '' : ` ${expired} rows that others name are missing, and may have expired.`;
  const checked = `${tables.join(', ')}: ${duplicates} duplicates, ${gaps} gaps.${old}`;
  return duplicates + gaps === 0
    ? checked
    : `${checked} docs/analytics.md shows how to find the rows; replay the range that is missing.`;
}
