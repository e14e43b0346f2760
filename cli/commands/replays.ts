import { TelltaleError } from '../../runtime/errors.js';
import { resumeReplay } from '../../runtime/replays/request-replay.js';
import { readReplays, TakenReplay } from '../../runtime/replays/replay-log.js';
import { sweepTable, undoReplay } from '../../runtime/replays/table/undo-replay.js';
import { isUnderExchange, tableProgressOf } from '../../runtime/replays/table/table-progress.js';
import { tableIdOf, tableWrites } from '../../runtime/replays/table/table-replay-request.js';
import type { Sink } from '../../runtime/sink.js';
import type { Replay } from '../../schemas/generated/replay.js';
import type { AddCommand } from '../command.js';
import { progressOf } from '../../runtime/replays/replay-progress.js';
import { openReplaySession, type ReplaySession } from '../replays/session.js';
import { sinks } from '../sinks.js';
import { table } from '../table.js';
import { clickhouseFromEnvironment } from './migrate.js';

const say = (text: string): void => console.log(text);

/** `telltale replays list|show|pause|resume|cancel`: shows the state of replays and imports, and changes it. */
export const addReplays: AddCommand = (program) => {
  const command = program
    .command('replays')
    .description('show, pause, resume and cancel replays and imports');
  command
    .command('list')
    .description('list them, the newest first')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const { access, codec } = await openReplaySession(process.env);
      const all = [...(await readReplays(access, codec)).values()].sort(
        (a, b) => b.updated_at - a.updated_at,
      );
      if (json) say(JSON.stringify({ replays: all.map(viewOf) }));
      else say(all.length === 0 ? 'There are no replays.' : table([heading, ...all.map(rowOf)]));
    });
  command
    .command('show <id>')
    .description('show one, with its parameters')
    .action(async (id: string) => {
      const { access, codec } = await openReplaySession(process.env);
      const found = (await readReplays(access, codec)).get(id);
      if (found === undefined) throw new TelltaleError('REPLAY_UNKNOWN', { id });
      say(JSON.stringify({ ...viewOf(found), parameters: JSON.parse(found.parameters) as unknown }, null, 2));
    });
  command
    .command('pause <id>')
    .description('stop it for now; `resume`, or the command that started it, continues where it stopped')
    .action((id: string) => end(id, 'paused'));
  command
    .command('resume <id>')
    .description('let processors, or sinks, continue a replay that was paused or has failed')
    .action(async (id: string) => {
      const session = await openReplaySession(process.env);
      say(`${id} is ${(await resumeReplay({ ...session, writes: writesOf(session, id) }, id)).status}.`);
    });
  command
    .command('cancel <id>')
    .description('stop it; what it has done so far stays')
    .action((id: string) => end(id, 'cancelled'));
};

const heading = ['ID', 'STATUS', 'RECORDS', 'OF', 'RATE', 'REFUSED', 'UPDATED', 'WHAT'];

function rowOf(replay: Replay): readonly string[] {
  const { id, status, records, total, rate, failures, what } = replay;
  return [
    id,
    status,
    String(records),
    total === null ? '-' : String(total),
    rate === null ? '-' : `${Math.round(rate)}/s`,
    String(failures),
    isoTimestamp(replay.updated_at),
    what,
  ];
}

function viewOf(replay: Replay) {
  const { created_at, updated_at, updated_by } = replay;
  return {
    ...progressOf(replay),
    created_at: isoTimestamp(created_at),
    updated_at: isoTimestamp(updated_at),
    updated_by,
  };
}

const isoTimestamp = (microseconds: number): string => new Date(microseconds / 1_000).toISOString();

/** Fences a command that works on the replay: it can commit nothing more, reads the new state, and ends. */
async function end(id: string, status: 'paused' | 'cancelled'): Promise<void> {
  const session = await openReplaySession(process.env);
  const known = (await readReplays(session.access, session.codec)).get(id);
  if (known === undefined) throw new TelltaleError('REPLAY_UNKNOWN', { id });
  const hadEnded = known.status === 'done' || known.status === 'cancelled';
  const taken = await TakenReplay.take({ ...session, writes: writesOf(session, id) }, id, (found) => {
    if (found === undefined) throw new TelltaleError('REPLAY_UNKNOWN', { id });
    // A cancelled replay's data is dropped, so it can't be paused; another cancel finishes a killed one.
    if (found.status === 'done' || (found.status === 'cancelled' && status === 'paused')) return found;
    // Some of the tables might already be exchanged: the exchange must be finished, which takes moments.
    if (isExchanging(found)) throw new TelltaleError('REPLAY_EXCHANGING', { id });
    return { ...found, status };
  });
  try {
    const sink = sinkOf(id);
    if (sink !== undefined && taken.state.kind === 'table')
      await leaveTable(sink, taken.state, hadEnded && status === 'cancelled');
  } finally {
    await taken.release();
  }
  say(`${id} is ${taken.state.status}.`);
}

const sinkOf = (id: string): Sink | undefined => sinks.find((one) => tableIdOf(one) === id);

function writesOf(session: ReplaySession, id: string): readonly string[] {
  const sink = sinkOf(id);
  return sink === undefined ? session.writes : tableWrites(sink);
}

const isExchanging = ({ kind, progress }: Replay): boolean =>
  kind === 'table' && isUnderExchange(tableProgressOf(progress));

/** Reopens the table of a replay that ends; a cancel also removes everything of the replay. */
async function leaveTable({ table: name }: Sink, replay: Replay, hadEnded: boolean): Promise<void> {
  if (isExchanging(replay) && !hadEnded) return;
  const clickhouse = clickhouseFromEnvironment();
  try {
    await (hadEnded ? sweepTable(clickhouse, name) : undoReplay(clickhouse, name, replay));
  } finally {
    await clickhouse.close();
  }
}
