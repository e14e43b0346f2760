import type { Replay } from '../../schemas/generated/replay.js';
import { TelltaleError } from '../errors.js';
import { readReplays, TakenReplay, type ReplayLogOptions, type ReplayState } from './replay-log.js';
import {
  queuedScoring,
  scoringIdOf,
  scoringProgressOf,
  type ScoringReplayRequest,
} from './scoring/scoring-replay-request.js';
import {
  reassignedTo,
  tableIdOf,
  tableReplay,
  tableWrites,
  type TableReplayRequest,
} from './table/table-replay-request.js';

/**
 * Asks the processors for a replay, and returns its resulting state. If the same replay was asked for before
 * and has not ended, it continues where it was paused or failed.
 */
export function requestScoringReplay(
  options: ReplayLogOptions,
  request: ScoringReplayRequest,
  rate: number | null,
): Promise<Replay> {
  return ask(options, scoringIdOf(request), (found) => {
    if (found === undefined || hasEnded(found)) return queuedScoring(request, rate, Date.now());
    // Acquiring it would stop the process that works on it.
    if (isUnderWay(found)) return undefined;
    const progress = { ...scoringProgressOf(found), rate };
    return { ...requeued(found), progress: JSON.stringify(progress) };
  });
}

/**
 * Asks the sinks for a replay of a table, in the same way. Rejects with REPLAY_DIFFERENT while a replay with other
 * bounds has not ended.
 */
export function requestTableReplay(
  options: Omit<ReplayLogOptions, 'writes'>,
  request: TableReplayRequest,
  rate: number | null,
): Promise<Replay> {
  return ask({ ...options, writes: tableWrites(request.sink) }, tableIdOf(request.sink), (found) => {
    const state = tableReplay({ request, rate, worker: 'sinks' }, found);
    return found !== undefined && isUnderWay(found) ? undefined : state;
  });
}

/**
 * Lets processors or sinks continue a replay that was paused or failed. Rejects with REPLAY_UNKNOWN,
 * REPLAY_ENDED, or REPLAY_NEEDS_COMMAND if only its command can continue it.
 */
export function resumeReplay(options: ReplayLogOptions, id: string): Promise<Replay> {
  return ask(options, id, (found) => {
    if (found === undefined) throw new TelltaleError('REPLAY_UNKNOWN', { id });
    if (found.kind !== 'scoring' && found.kind !== 'table')
      throw new TelltaleError('REPLAY_NEEDS_COMMAND', { id, what: found.what });
    if (hasEnded(found)) throw new TelltaleError('REPLAY_ENDED', { id, status: found.status });
    if (isUnderWay(found)) return undefined;
    return requeued(found.kind === 'table' ? reassignedTo('sinks', found) : found);
  });
}

export const isUnderWay = ({ status }: Pick<Replay, 'status'>): boolean =>
  status === 'queued' || status === 'running';

const hasEnded = ({ status }: Replay): boolean => status === 'done' || status === 'cancelled';

const requeued = (found: Replay): Replay => ({ ...found, status: 'queued', reason: null });

/** `begin` returns the state to write in place of the one found; undefined to leave it unchanged. */
async function ask(
  options: ReplayLogOptions,
  id: string,
  begin: (found: Replay | undefined) => ReplayState | undefined,
): Promise<Replay> {
  const known = (await readReplays(options.access, options.codec)).get(id);
  // Acquiring it would stop the process that works on it.
  if (begin(known) === undefined && known !== undefined) return known;
  let begun: Replay | undefined;
  try {
    const taken = await TakenReplay.take(options, id, (found) => {
      const state = begin(found);
      if (state !== undefined) return state;
      // Another request came first. The process that works on the replay acquires it again, because nothing
      // is written.
      begun = found;
      throw new TelltaleError('REPLAY_TAKEN', {
        id,
        status: 'begun',
        by: found?.updated_by ?? 'another command',
      });
    });
    await taken.release();
    return taken.state;
  } catch (error) {
    if (begun !== undefined) return begun;
    throw error;
  }
}
