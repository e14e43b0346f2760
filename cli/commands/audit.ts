import { audit, type Audit } from '../../runtime/clickhouse/audit.js';
import type { AddCommand } from '../command.js';
import { sinks } from '../sinks.js';
import { repairTables, type RepairedTable } from '../replays/repair.js';
import { openReplaySession } from '../replays/session.js';
import { clickhouseFromEnvironment } from './migrate.js';

interface Given {
  readonly json?: boolean;
  readonly repair?: boolean;
}

/** `telltale audit`: checks that every record in Kafka is in its table exactly once. Exits with 1 if not. */
export const addAudit: AddCommand = (program) => {
  program
    .command('audit')
    .description('count duplicates and gaps in the tables of all sinks; exit code 1 if there are any')
    .option('--repair', 'fill gaps from the topics, if they still have the records')
    .option('--json', 'print JSON')
    .action(async ({ json = false, repair = false }: Given) => {
      const clickhouse = clickhouseFromEnvironment();
      try {
        const repaired = repair
          ? await repairTables(await openReplaySession(process.env), clickhouse)
          : undefined;
        const found = await audit(clickhouse, sinks);
        if (json) console.log(JSON.stringify({ ...found, ...(repaired === undefined ? {} : { repaired }) }));
        else console.log([...(repaired ?? []).flatMap(repairedInWords), inWords(found)].join('\n'));
        if (found.duplicates + found.gaps > 0) process.exitCode = 1;
      } finally {
        await clickhouse.close();
      }
    });
};

function inWords({ duplicates, gaps, expired }: Audit): string {
  const old =
    expired === 0 ? '' : ` ${expired} rows that others refer to are missing, and might have expired.`;
  const checked = `${sinks.map(({ table }) => table).join(', ')}: ${duplicates} duplicates, ${gaps} gaps.${old}`;
  return duplicates + gaps === 0
    ? checked
    : `${checked} \`telltale audit --repair\` fills gaps, \`telltale replay table\` rebuilds a table; docs/analytics.md shows how to find the rows.`;
}

function repairedInWords({ table, read, unfillable }: RepairedTable): readonly string[] {
  return [
    ...(read === 0 ? [] : [`${table}: filled from ${read} offsets of its topic.`]),
    ...unfillable.map(
      ({ partition, offset, reason }) =>
        `${table}: the record of partition ${partition} at ${offset} can't be filled in: ${reason}.`,
    ),
  ];
}
