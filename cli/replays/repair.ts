import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { commandLogger } from '../../runtime/logging.js';
import { openWriterSchemas } from '../../runtime/registry/writer-schemas.js';
import { findGaps, type Gaps, type Unfillable } from '../../runtime/replays/repair/gaps.js';
import { fillGaps, repairBegun } from '../../runtime/replays/repair/repair-table.js';
import { readReplays, TakenReplay, type ReplayState } from '../../runtime/replays/replay-log.js';
import { untilInsertsEnd } from '../../runtime/clickhouse/gate.js';
import { tableIdOf, tableWrites } from '../../runtime/replays/table/table-replay-request.js';
import type { Sink } from '../../runtime/sink.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { sinks } from '../sinks.js';
import { sinkGroup } from '../../runtime/group-ids.js';
import type { ReplaySession } from './session.js';

/** The result of repairing a table that had gaps. */
export interface RepairedTable {
  readonly table: string;
  /** How many offsets were read from the topic; not all of them have records. */
  readonly read: number;
  readonly unfillable: readonly Unfillable[];
}

/** Fills the gaps of every table from its topic, if the topic still has the records. */
export async function repairTables(
  session: ReplaySession,
  clickhouse: ClickHouse,
): Promise<readonly RepairedTable[]> {
  const repaired: RepairedTable[] = [];
  for (const sink of sinks) {
    const gaps = (): Promise<Gaps> => findGaps({ ...session, clickhouse }, sink, sinkGroup(sink));
    const isNeeded = (await isLeftOver(session, sink)) || (await gaps()).fillable.length > 0;
    const read = isNeeded ? await repair(session, clickhouse, sink, gaps) : 0;
    const { unfillable } = await gaps();
    if (read > 0 || unfillable.length > 0) repaired.push({ table: sink.table, read, unfillable });
  }
  return repaired;
}

const isOver = (found: Replay | undefined): boolean =>
  found === undefined || found.status === 'done' || found.status === 'cancelled';

/** Whether an earlier repair has not ended. */
async function isLeftOver({ access, codec }: ReplaySession, sink: Sink): Promise<boolean> {
  const known = (await readReplays(access, codec)).get(tableIdOf(sink));
  return known?.kind === 'repair' && !isOver(known);
}

/** Rejects with REPLAY_DIFFERENT while a replay rebuilds the table: that fills its gaps too. */
async function repair(
  session: ReplaySession,
  clickhouse: ClickHouse,
  sink: Sink,
  gaps: () => Promise<Gaps>,
): Promise<number> {
  const fresh = stateOf(sink);
  const log = { ...session, writes: tableWrites(sink) };
  const taken = await TakenReplay.take(log, tableIdOf(sink), (found) => {
    if (found === undefined || isOver(found)) return fresh;
    const { id, status, parameters } = found;
    if (parameters !== fresh.parameters)
      throw new TelltaleError('REPLAY_DIFFERENT', { id, status, parameters });
    return { ...found, status: 'running', reason: null };
  });
  try {
    const options = {
      ...session,
      clickhouse,
      schemas: await openWriterSchemas(sink.from, session.registry),
      sink,
      taken,
      logger: commandLogger('audit --repair'),
    };
    await fillGaps(options);
    // From here on, nobody else fills gaps. Those found before might have been filled in the meantime.
    await untilInsertsEnd(clickhouse);
    const { fillable } = await gaps();
    await taken.commit([], { ...taken.state, progress: repairBegun([...fillable]) });
    await fillGaps(options);
    await taken.commit([], { ...taken.state, status: 'done' });
    return taken.state.records;
  } catch (error) {
    const isLost = error instanceof TelltaleError && error.code === 'REPLAY_TAKEN';
    if (!isLost) await taken.commit([], { ...taken.state, status: 'failed', reason: reasonOf(error) });
    throw error;
  } finally {
    await taken.release();
  }
}

const stateOf = (sink: Sink): ReplayState => ({
  id: tableIdOf(sink),
  kind: 'repair',
  what: `gaps of ${sink.table} from ${sink.from.name}`,
  status: 'running',
  parameters: JSON.stringify({ sink: sink.name, repair: true }),
  progress: repairBegun([]),
  records: 0,
  total: null,
  failures: 0,
  rate: null,
  reason: null,
  created_at: Date.now() * 1_000,
});
