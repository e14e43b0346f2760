import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { commandLogger } from '../../runtime/logging.js';
import { openWriterSchemas } from '../../runtime/registry/writer-schemas.js';
import { Pace } from '../../runtime/replays/pace.js';
import { readReplays, TakenReplay } from '../../runtime/replays/replay-log.js';
import { checkRollups, doTableReplay, offsetsIn } from '../../runtime/replays/table/do-table-replay.js';
import { planTable } from '../../runtime/replays/table/table-plan.js';
import { untilAborted } from '../../runtime/replays/table/until-aborted.js';
import {
  tableBoundsOf,
  tableIdOf,
  tableReplay,
  tableWrites,
  type AskedTable,
  type TableReplayRequest,
} from '../../runtime/replays/table/table-replay-request.js';
import type { Sink } from '../../runtime/sink.js';
import type { AddCommand } from '../command.js';
import { showProgress } from '../progress.js';
import { liveSinks, startLaneBrake } from '../replays/live-lanes.js';
import { sinkGroup } from '../../runtime/group-ids.js';
import { rateOf } from '../replays/options.js';
import { openReplaySession, type ReplaySession } from '../replays/session.js';
import { sinks } from '../sinks.js';
import { clickhouseFromEnvironment } from './migrate.js';
import { addReplayScoring } from './replay-scoring.js';

interface Given {
  readonly from?: string;
  readonly to?: string;
  readonly rate?: string;
  readonly dryRun?: boolean;
}

/** `telltale replay table <sink>`: rebuilds a table from its topic with the current mapping. */
export const addReplay: AddCommand = (program) => {
  const command = program.command('replay').description('send stored data through the pipeline again');
  command
    .command('table <sink>')
    .description(`rebuild a table from its topic: ${sinks.map(({ name }) => name).join(', ')}`)
    .option('--from <bound>', 'from this time or offset on; by default from the start of the topic')
    .option('--to <bound>', 'up to this time or offset; by default up to now')
    .option('--rate <records>', 'maximum records per second')
    .option('--dry-run', 'show what would be read and written, and do nothing')
    .action(async (name: string, given: Given) => {
      const sink = sinks.find((one) => one.name === name);
      const known = sinks.map((one) => one.name).join(', ');
      if (sink === undefined)
        throw new TelltaleError('REPLAY_IMPOSSIBLE', { table: name, reason: `the sinks are ${known}` });
      // Reports invalid options before anything is started.
      const asked: AskedTable = {
        request: { sink, from: given.from ?? null, to: given.to ?? null },
        rate: rateOf(given.rate) ?? null,
        worker: 'command',
      };
      tableBoundsOf(asked.request);
      const session = await openReplaySession(process.env, tableWrites(sink));
      const clickhouse = clickhouseFromEnvironment();
      try {
        await checkRollups(clickhouse, sink);
        if (given.dryRun === true) await tryOut(session, clickhouse, sink, asked.request);
        else await replay(session, clickhouse, sink, asked);
      } finally {
        await clickhouse.close();
      }
    });
  addReplayScoring(command);
};

async function tryOut(
  { access, codec }: ReplaySession,
  clickhouse: ClickHouse,
  sink: Sink,
  request: TableReplayRequest,
): Promise<void> {
  const plan = await planTable({ access, clickhouse }, sink, sinkGroup(sink), tableBoundsOf(request));
  const [size] = await clickhouse.query<{ rows: string; bytes: string }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND concat(database, '.', table) = {table:String}`,
    { table: sink.table },
  );
  const rate = (await readReplays(access, codec)).get(tableIdOf(sink))?.rate ?? null;
  const offsets = offsetsIn(plan);
  console.log(
    JSON.stringify({
      dry_run: true,
      table: sink.table,
      offsets,
      partitions: plan.map(({ partition, from, to }) => ({ partition, from, to })),
      rows_in_table: Number(size?.rows),
      // For the shadow table, which exists next to the table until it replaces it.
      disk_bytes: Number(size?.bytes),
      // At the rate of this table's last replay; null if there has been none.
      seconds: rate === null ? null : Math.ceil(offsets / rate),
    }),
  );
}

async function replay(
  session: ReplaySession,
  clickhouse: ClickHouse,
  sink: Sink,
  asked: AskedTable,
): Promise<void> {
  const taken = await TakenReplay.take(session, tableIdOf(sink), (found) => tableReplay(asked, found));
  const [shown, pace] = [showProgress(), new Pace(asked.rate ?? undefined)];
  const brake = startLaneBrake(session.access, liveSinks);
  // The first signal stops the replay gracefully, the second one immediately.
  const left = new AbortController();
  const leave = (): void => left.abort();
  for (const ending of endingSignals) process.once(ending, leave);
  try {
    await doTableReplay({
      ...session,
      clickhouse,
      schemas: await openWriterSchemas(sink.from, session.registry),
      sink,
      groupId: sinkGroup(sink),
      taken: untilAborted(taken, left.signal),
      logger: commandLogger('replay table'),
      async did(count) {
        await pace.did(count, left.signal);
        await brake.wait(left.signal);
        left.signal.throwIfAborted();
      },
      rate: () => pace.rate,
      changed: (state) => shown.show(state),
    });
    shown.end(taken.state);
  } catch (error) {
    const isLost = error instanceof TelltaleError && error.code === 'REPLAY_TAKEN';
    if (left.signal.aborted && !isLost) {
      process.exitCode = 130;
      return;
    }
    if (!isLost) await taken.commit([], { ...taken.state, status: 'failed', reason: reasonOf(error) });
    throw error;
  } finally {
    for (const ending of endingSignals) process.off(ending, leave);
    await brake.stop();
    await taken.release();
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
