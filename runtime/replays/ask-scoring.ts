import type { Replay } from '../../schemas/generated/replay.js';
import { TelltaleError } from '../errors.js';
import { readReplays, TakenReplay, type ReplayLogOptions } from './replay-log.js';
import { queuedScoring, scoringIdOf, scoringProgressOf, type ScoringWish } from './scoring/scoring-wish.js';

/**
 * Asks the processors for a replay, and gives it as it stands then. One that was asked for before, and has not ended, is
 * the same one: it goes on where it was, where it was paused or has failed.
 */
export async function askForScoring(
  options: ReplayLogOptions,
  wish: ScoringWish,
  rate: number | null,
): Promise<Replay> {
  const id = scoringIdOf(wish);
  const known = (await readReplays(options.access, options.codec)).get(id);
  // To take it would stop whoever works on it.
  if (known !== undefined && isUnderWay(known)) return known;
  const taken = await TakenReplay.take(options, id, (found) => {
    if (found === undefined || hasEnded(found)) return queuedScoring(wish, rate, Date.now());
    const progress = { ...scoringProgressOf(found), rate };
    return { ...requeued(found), progress: JSON.stringify(progress) };
  });
  try {
    return taken.state;
  } finally {
    await taken.release();
  }
}

/** Lets processors go on with a replay that was paused or has failed. Rejects with REPLAY_UNKNOWN or REPLAY_ENDED. */
export async function resumeScoring(options: ReplayLogOptions, id: string): Promise<Replay> {
  const taken = await TakenReplay.take(options, id, (found) => {
    if (found === undefined) throw new TelltaleError('REPLAY_UNKNOWN', { id });
    if (hasEnded(found)) throw new TelltaleError('REPLAY_ENDED', { id, status: found.status });
    return requeued(found);
  });
  try {
    return taken.state;
  } finally {
    await taken.release();
  }
}

export const isUnderWay = ({ status }: Pick<Replay, 'status'>): boolean =>
  status === 'queued' || status === 'running';

const hasEnded = ({ status }: Replay): boolean => status === 'done' || status === 'cancelled';

const requeued = (found: Replay): Replay => ({ ...found, status: 'queued', reason: null });
