import { z } from 'zod';
import type { Replay } from '../../../schemas/generated/replay.js';
import { deadLettersOf } from '../../../topics/dead-letters.js';
import { TelltaleError } from '../../errors.js';
import type { Sink } from '../../sink.js';
import type { ReplayState } from '../replay-log.js';
import { timestampOf } from '../timestamp.js';
import type { ReplayBound } from './table-plan.js';
import { tableProgressOf, workerForm, type TableProgress } from './table-progress.js';

/** The attributes of a sink that identify a replay of its table. */
export type ReplayedSink = Pick<Sink, 'name' | 'table' | 'from'>;

/** The request to rebuild a table: each bound is a time, or an offset in every partition. */
export interface TableReplayRequest {
  readonly sink: ReplayedSink;
  readonly from: string | null;
  readonly to: string | null;
}

export interface AskedTable {
  readonly request: TableReplayRequest;
  /** At most this many records per second. */
  readonly rate: number | null;
  /** The worker that is to do it. */
  readonly worker: TableProgress['worker'];
}

/** All work on a table has one id, so that only one replay or repair runs at a time. */
export const tableIdOf = ({ name }: Pick<Sink, 'name'>): string => `table-${name}`;

/**
 * The topics that a table's replay appends to: its mapping can refuse a record that an earlier one accepted.
 */
export const tableWrites = ({ from }: Pick<Sink, 'from'>): readonly string[] => [deadLettersOf(from)];

/** The bounds of a replay as they were requested. */
export const askedBounds = ({
  parameters,
}: Pick<Replay, 'parameters'>): Pick<TableReplayRequest, 'from' | 'to'> =>
  boundsForm.parse(JSON.parse(parameters));
const boundsForm = z.object({ from: z.string().nullable(), to: z.string().nullable() });

/** A number is an offset in every partition; anything else is a time. Throws MOMENT_INVALID. */
export function tableBoundsOf({ from, to }: Pick<TableReplayRequest, 'from' | 'to'>): {
  readonly from?: ReplayBound;
  readonly to?: ReplayBound;
} {
  const bound = (given: string): ReplayBound =>
    /^\d+$/.test(given) ? { offset: Number(given) } : { time: timestampOf(given, Date.now()) };
  return { ...(from !== null && { from: bound(from) }), ...(to !== null && { to: bound(to) }) };
}

/**
 * Whether the sinks are to do a replay. One that a command does is left to commands, even if that command was
 * killed.
 */
export function isForSinks({ kind, progress }: Pick<Replay, 'kind' | 'progress'>): boolean {
  const form = z.object({ worker: workerForm });
  const read = kind === 'table' ? form.safeParse(JSON.parse(progress)) : undefined;
  return read?.data?.worker === 'sinks';
}

/**
 * The replay of a table, for the worker that is to do it now. A replay that has not ended is resumed if it has the same
 * bounds. Throws REPLAY_DIFFERENT if it has others.
 */
export function tableReplay({ request, rate, worker }: AskedTable, found: Replay | undefined): ReplayState {
  const { sink, from, to } = request;
  const parameters = JSON.stringify({ sink: sink.name, from, to });
  const status = worker === 'sinks' ? 'queued' : 'running';
  if (found !== undefined && found.status !== 'done' && found.status !== 'cancelled') {
    const { id, status: standing } = found;
    if (found.parameters !== parameters)
      throw new TelltaleError('REPLAY_DIFFERENT', { id, status: standing, parameters: found.parameters });
    return { ...reassignedTo(worker, found, rate), status, reason: null };
  }
  // A command that was killed while it cancelled might have left something behind.
  const left = found?.kind === 'table' ? tableProgressOf(found.progress) : { holders: [], gate: null };
  const { holders, gate } = left;
  const progress: TableProgress = {
    ...{ phase: 'asked', worker, rate },
    ...{ plan: [], at: {}, pieces: [], copied: 0, holders, gate },
  };
  return {
    id: tableIdOf(sink),
    kind: 'table',
    what: `${sink.table} from ${sink.from.name}`,
    status,
    parameters,
    progress: JSON.stringify(progress),
    records: 0,
    total: null,
    failures: 0,
    rate: null,
    reason: null,
    created_at: Date.now() * 1_000,
  };
}

/** The same replay for another worker, at the former rate unless another is given. */
export function reassignedTo(worker: TableProgress['worker'], found: Replay, rate?: number | null): Replay {
  const progress = tableProgressOf(found.progress);
  const next: TableProgress = { ...progress, worker, rate: rate === undefined ? progress.rate : rate };
  return { ...found, progress: JSON.stringify(next) };
}
