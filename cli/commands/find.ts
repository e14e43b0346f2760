import { readConfig } from '../../runtime/config.js';
import { kafkaConfig } from '../../runtime/kafka/client/config.js';
import { openGroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../runtime/logging.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import type { AddCommand } from '../command.js';
import { createFinder } from '../find/finder.js';
import { foundText } from '../find/found-text.js';
import { clickhouseFromEnvironment } from './migrate.js';

interface Given {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** `telltale find <id>`: finds a task, a call, a trace, a batch, or a request by its Idempotency-Key. */
export const addFind: AddCommand = (program) => {
  program
    .command('find <id>')
    .description('show where something is: each step with its time and place. Exit code 1 if it was not seen')
    .option(
      '--workspace <workspace>',
      'search only this workspace; an Idempotency-Key without it is one of `default`',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\n<id> is the id of a task, call or trace, <spool>/<number> of an agent’s batch, or an Idempotency-Key.',
    )
    .action(async (id: string, { workspace, json = false }: Given) => {
      const settings = readConfig(kafkaConfig, process.env);
      const access = kafkaAccess(settings, 'telltale-find', silentLogger);
      const clickhouse = clickhouseFromEnvironment();
      const groups = openGroupLagReader(access);
      try {
        const registry = connectRegistry(settings);
        const finder = createFinder({ access, groups, registry, clickhouse, patienceMs: 5_000 });
        const found = await finder.find(id, workspace);
        console.log(json ? JSON.stringify(found) : foundText(found));
        if (found.outcome === 'not seen') process.exitCode = 1;
      } finally {
        await groups.stop();
        await clickhouse.close();
      }
    });
};
