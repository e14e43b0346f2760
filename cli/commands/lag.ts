import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { readConfig } from '../../runtime/config.js';
import { kafkaConfig } from '../../runtime/kafka/client/config.js';
import { openGroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { requireKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { silentLogger } from '../../runtime/logging.js';
import type { AddCommand } from '../command.js';
import { createLagReader } from '../lag/lag-reader.js';
import { lagText } from '../lag/lag-text.js';
import { clickhouseFromEnvironment } from './migrate.js';

interface Given {
  readonly watch?: number | true;
  readonly json?: boolean;
  readonly partitions?: boolean;
}

const standardSeconds = 2;
const clearScreen = '\x1b[H\x1b[2J';

/** `telltale lag`: shows how far each stage is behind the end of its topic, and what it waits for. */
export const addLag: AddCommand = (program) => {
  program
    .command('lag')
    .description('show how far each stage is behind, in time and records, and what it waits for')
    .option(
      '--watch [seconds]',
      `show it again every ${standardSeconds} seconds, or as often as given`,
      secondsOf,
    )
    .option('--partitions', 'show every partition, not only those that lag')
    .option('--json', 'print JSON, one line each time')
    .action(async ({ watch, json = false, partitions = false }: Given) => {
      const access = kafkaAccess(readConfig(kafkaConfig, process.env), 'telltale-lag', silentLogger);
      await requireKafka(access);
      const clickhouse = clickhouseFromEnvironment();
      const groups = openGroupLagReader(access);
      const reader = createLagReader(groups, clickhouse);
      const isDrawn = watch !== undefined && !json && process.stdout.isTTY;
      try {
        for (;;) {
          const lag = await reader.read();
          const shown = json ? JSON.stringify(lag) : lagText(lag, partitions);
          console.log(isDrawn ? `${clearScreen}${shown}` : shown);
          if (watch === undefined) return;
          await sleep((watch === true ? standardSeconds : watch) * 1_000);
        }
      } finally {
        await groups.stop();
        await clickhouse.close();
      }
    });
};

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 1 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds from 1 to 86400.');
}
