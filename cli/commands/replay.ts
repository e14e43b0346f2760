import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { ageInDays, expiryOf } from '../../runtime/clickhouse/expiry.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { commandLogger } from '../../runtime/logging.js';
import { openWriterSchemas } from '../../runtime/registry/writer-schemas.js';
import { readReplays, TakenReplay, type ReplayState } from '../../runtime/replays/replay-log.js';
import { openGate } from '../../runtime/replays/table/gate.js';
import { replayTable } from '../../runtime/replays/table/replay-table.js';
import { rollupsOf } from '../../runtime/replays/table/shadow-table.js';
import { piecesBefore, planTable, type PartitionPlan } from '../../runtime/replays/table/table-plan.js';
import { isUnderExchange, tableProgressOf } from '../../runtime/replays/table/table-progress.js';
import type { Sink } from '../../runtime/sink.js';
import type { Replay } from '../../schemas/generated/replay.js';
import type { AddCommand } from '../command.js';
import { Pace } from '../../runtime/replays/pace.js';
import { showProgress } from '../progress.js';
import { liveSinks, startCommandBrake } from '../replays/live-lanes.js';
import { groupOf, idOf } from '../replays/of-sink.js';
import { rateOf } from '../replays/options.js';
import { openReplaySession, tableWrites, type ReplaySession } from '../replays/session.js';
import { boundOf } from '../replays/table-bounds.js';
import { sinks } from '../sinks.js';
import { clickhouseFromEnvironment } from './migrate.js';
import { addReplayScoring } from './replay-scoring.js';

interface Given {
  readonly from?: string;
  readonly to?: string;
  readonly rate?: string;
  readonly dryRun?: boolean;
}

/** `telltale replay table <sink>`: a table is made anew from its topic, by the mapping of today. */
export const addReplay: AddCommand = (program) => {
  const command = program.command('replay').description('put what was stored through the pipeline again');
  command
    .command('table <sink>')
    .description(`make a table anew from its topic: ${sinks.map(({ name }) => name).join(', ')}`)
    .option('--from <bound>', 'from this time or offset on; by itself from where the topic begins')
    .option('--to <bound>', 'up to this time or offset; by itself up to now')
    .option('--rate <records>', 'so many records a second at most')
    .option('--dry-run', 'say what would be read and written, and do nothing')
    .action(async (name: string, given: Given) => {
      const sink = sinks.find((one) => one.name === name);
      const known = sinks.map((one) => one.name).join(', ');
      if (sink === undefined)
        throw new TelltaleError('REPLAY_IMPOSSIBLE', { table: name, reason: `the sinks are ${known}` });
      // What is wrong with them is said before anything is begun.
      rateOf(given.rate);
      boundsOf(given);
      const session = await openReplaySession(process.env, tableWrites(sink));
      const clickhouse = clickhouseFromEnvironment();
      try {
        await checkRollups(clickhouse, sink);
        if (given.dryRun === true) await tryOut(session, clickhouse, sink, given);
        else await replay(session, clickhouse, sink, given);
      } finally {
        await clickhouse.close();
      }
    });
  addReplayScoring(command);
};

function boundsOf({ from, to }: Given) {
  const [first, last] = [boundOf(from), boundOf(to)];
  return { ...(first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }) };
}

const recordsIn = (plan: readonly PartitionPlan[]): number =>
  plan.reduce((sum, { from, to }) => sum + to - from, 0);

/** A rollup that is kept for longer than its table can't be made of the table: its older rows would be gone. */
async function checkRollups(clickhouse: ClickHouse, { table }: Sink): Promise<void> {
  const kept = (await expiryOf(clickhouse, table))?.days ?? Infinity;
  if ((await ageInDays(clickhouse)) < kept) return;
  for (const { target } of await rollupsOf(clickhouse, table)) {
    const rollupKept = (await expiryOf(clickhouse, target))?.days ?? Infinity;
    const reason = `${target} keeps ${rollupKept} days and the table ${kept}: older figures would be lost`;
    if (rollupKept > kept) throw new TelltaleError('REPLAY_IMPOSSIBLE', { table, reason });
  }
}

async function tryOut(
  { access, codec }: ReplaySession,
  clickhouse: ClickHouse,
  sink: Sink,
  given: Given,
): Promise<void> {
  const plan = await planTable({ access, clickhouse }, sink, groupOf(sink), boundsOf(given));
  const [size] = await clickhouse.query<{ rows: string; bytes: string }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND concat(database, '.', table) = {table:String}`,
    { table: sink.table },
  );
  const rate = (await readReplays(access, codec)).get(idOf(sink))?.rate ?? null;
  const offsets = recordsIn(plan);
  console.log(
    JSON.stringify({
      dry_run: true,
      table: sink.table,
      offsets,
      partitions: plan.map(({ partition, from, to }) => ({ partition, from, to })),
      rows_in_table: Number(size?.rows),
      // The shadow, beside the table, until it takes the table's place.
      disk_bytes: Number(size?.bytes),
      // As fast as the last replay of this table was; null where there has been none.
      seconds: rate === null ? null : Math.ceil(offsets / rate),
    }),
  );
}

async function replay(
  session: ReplaySession,
  clickhouse: ClickHouse,
  sink: Sink,
  given: Given,
): Promise<void> {
  const parameters = JSON.stringify({ sink: sink.name, from: given.from ?? null, to: given.to ?? null });
  const known = (await readReplays(session.access, session.codec)).get(idOf(sink));
  const isNew = known === undefined || known.status === 'done' || known.status === 'cancelled';
  const fresh = isNew ? await begun(session, clickhouse, sink, { given, parameters, known }) : undefined;
  const taken = await TakenReplay.take(session, idOf(sink), (found) => {
    if (found === undefined || found.status === 'done' || found.status === 'cancelled') {
      if (fresh !== undefined && found?.sequence === known?.sequence) return fresh;
      throw takenMeanwhile(found, idOf(sink));
    }
    if (found.parameters !== parameters) {
      const { id, status } = found;
      throw new TelltaleError('REPLAY_DIFFERENT', { id, status, parameters: found.parameters });
    }
    return { ...found, status: 'running', reason: null };
  });
  const [shown, pace] = [showProgress(), new Pace(rateOf(given.rate))];
  const brake = startCommandBrake(session.access, liveSinks);
  // A table that is closed for its exchange takes rows again; one that is being exchanged is left to the end of it.
  const leave = (): void => {
    if (isUnderExchange(tableProgressOf(taken.state.progress))) return;
    void openGate(clickhouse, sink.table, taken.owner).finally(() => process.exit(130));
  };
  for (const ending of endingSignals) process.once(ending, leave);
  try {
    await replayTable({
      ...session,
      clickhouse,
      schemas: await openWriterSchemas(sink.from, session.registry),
      sink,
      groupId: groupOf(sink),
      taken,
      logger: commandLogger('replay table'),
      async did(count) {
        await pace.did(count);
        await brake.wait();
      },
      rate: () => pace.rate,
      changed: (state) => shown.show(state),
    });
    shown.end(taken.state);
  } catch (error) {
    const isLost = error instanceof TelltaleError && error.code === 'REPLAY_TAKEN';
    if (!isLost) await taken.commit([], { ...taken.state, status: 'failed', reason: reasonOf(error) });
    throw error;
  } finally {
    for (const ending of endingSignals) process.off(ending, leave);
    await brake.stop();
    await taken.release();
  }
}

const endingSignals = ['SIGINT', 'SIGTERM'] as const;

function takenMeanwhile(found: Replay | undefined, id: string): TelltaleError {
  return new TelltaleError('REPLAY_TAKEN', {
    id,
    status: found?.status ?? 'begun',
    by: found?.updated_by ?? 'another command',
  });
}

async function begun(
  { access }: ReplaySession,
  clickhouse: ClickHouse,
  sink: Sink,
  { given, parameters, known }: { given: Given; parameters: string; known: Replay | undefined },
): Promise<ReplayState> {
  const plan = await planTable({ access, clickhouse }, sink, groupOf(sink), boundsOf(given));
  const pieces = await piecesBefore(clickhouse, sink, [...plan]);
  // A cancel that was killed may have left something behind.
  const left = known?.kind === 'table' ? tableProgressOf(known.progress) : { holders: [], gate: null };
  const { holders, gate } = left;
  return {
    id: idOf(sink),
    kind: 'table',
    what: `${sink.table} from ${sink.from.name}`,
    status: 'running',
    parameters,
    progress: JSON.stringify({ phase: 'new', plan, at: {}, pieces, copied: 0, holders, gate }),
    records: 0,
    total: recordsIn(plan),
    failures: 0,
    rate: null,
    reason: null,
    created_at: Date.now() * 1_000,
  };
}
