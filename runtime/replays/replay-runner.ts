import type { Replay } from '../../schemas/generated/replay.js';
import { Backoff, pause } from '../backoff.js';
import { reasonOf, TelltaleError } from '../errors.js';
import { isKafkaError } from '../kafka/protocol/kafka-error.js';
import type { Stoppable } from '../lifecycle.js';
import type { Logger } from '../logging.js';
import { isUnderWay } from './request-replay.js';
import { OrderedCommits } from './ordered-commits.js';
import { TakenReplay, type ReplayLogOptions } from './replay-log.js';
import { takeTurns } from './replay-turns.js';

export interface ReplayRunnerOptions {
  readonly log: Omit<ReplayLogOptions, 'writes'>;
  /** The topics that a replay appends to. */
  readonly writesOf: (replay: Replay) => readonly string[];
  /** The current state of every replay. */
  readonly replays: () => readonly Replay[];
  /** Whether processes of this role work on it. */
  readonly isOwn: (replay: Replay) => boolean;
  /** Does the rest of a replay. May reject if a dependency is down, and is then called again. */
  readonly work: (commits: OrderedCommits, signal: AbortSignal) => Promise<void>;
  /**
   * A process that works on a replay shows this by a commit every few seconds. After this long without one,
   * measured here, another process takes over.
   */
  readonly silentMs: number;
  readonly logger: Logger;
}

const lookEveryMs = 500;
/** Long, because resuming a replay costs seconds: threads, models, and its position. */
const turnMs = 60_000;

/**
 * Works on the replays that operators ask for, one at a time; workspaces take turns. Every process of the
 * role does so. A process that acquires a replay fences the others, so two can't commit anything twice; the
 * status `running` only saves them the work.
 */
export function startReplayRunner(options: ReplayRunnerOptions): Stoppable {
  const stopped = new AbortController();
  const heard = new Map<string, { sequence: number; at: number }>();
  const isSilent = ({ id, sequence }: Replay): boolean => {
    const known = heard.get(id);
    if (known?.sequence !== sequence) heard.set(id, { sequence, at: performance.now() });
    return known?.sequence === sequence && performance.now() - known.at > options.silentMs;
  };
  const isFree = (replay: Replay): boolean =>
    (replay.status === 'queued' || (replay.status === 'running' && isSilent(replay))) &&
    options.isOwn(replay);
  const running = takeTurns(
    {
      free: () => options.replays().filter(isFree),
      work: (replay, leave) => run(options, replay, leave),
      turnMs,
      lookEveryMs,
    },
    stopped.signal,
  );
  return {
    name: 'replays',
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

async function run(
  { log, writesOf, isOwn, work, silentMs, logger }: ReplayRunnerOptions,
  next: Replay,
  leave: AbortSignal,
): Promise<void> {
  const { id } = next;
  let taken: TakenReplay;
  try {
    taken = await TakenReplay.take({ ...log, writes: writesOf(next) }, id, (found) => {
      // Another process has taken it since this one saw that it was free.
      const isTaken = found?.status === 'running' && found.sequence !== next.sequence;
      if (found === undefined || isTaken || !isUnderWay(found) || !isOwn(found))
        throw new TelltaleError('REPLAY_TAKEN', {
          id,
          status: found?.status ?? 'gone',
          by: found?.updated_by ?? 'another process',
        });
      return { ...found, status: 'running', reason: null };
    });
  } catch (error) {
    logger.info(
      { event: 'replay-not-acquired', replay: id, reason: reasonOf(error) },
      'a replay was not acquired',
    );
    return;
  }
  logger.info({ event: 'replay-acquired', replay: id }, 'a replay was acquired');
  const lost = new AbortController();
  const commits = new OrderedCommits(taken, silentMs / 4, (error) => lost.abort(error));
  try {
    await retryUntilAvailable(work, commits, AbortSignal.any([leave, lost.signal]), logger);
    await end(commits, lost.signal, leave);
  } catch (error) {
    if (!lost.signal.aborted) await fail(commits, error);
    logger.warn({ event: 'replay-released', replay: id, reason: reasonOf(error) }, 'a replay was released');
  } finally {
    commits.stop();
    await taken.release();
  }
}

/** Queues the replay again if its turn has ended or the process stops: another process continues at once. */
async function end(commits: OrderedCommits, lost: AbortSignal, leave: AbortSignal): Promise<void> {
  lost.throwIfAborted();
  // The work may have committed this itself.
  if (commits.state.status === 'done') return;
  await commits.commit([], (state) =>
    leave.aborted
      ? { ...state, status: 'queued' }
      : { ...state, status: 'done', records: state.total ?? state.records },
  );
}

const fail = (commits: OrderedCommits, error: unknown): Promise<void> =>
  commits
    .commit([], (state) => ({ ...state, status: 'failed', reason: reasonOf(error) }))
    .catch(() => undefined);

/** Repeats the work after an outage. */
async function retryUntilAvailable(
  work: ReplayRunnerOptions['work'],
  commits: OrderedCommits,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const backoff = new Backoff(250, 10_000);
  for (;;) {
    try {
      await work(commits, signal);
      await commits.settled();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      logger.warn(
        { event: 'replay-waits', replay: commits.state.id, reason: reasonOf(error) },
        'a replay waits',
      );
      await pause(backoff.next());
    }
  }
}

const passing: ReadonlySet<string> = new Set([
  'KAFKA_UNREACHABLE',
  'REGISTRY_UNREACHABLE',
  'CLICKHOUSE_UNREACHABLE',
]);

const isPassing = (error: unknown): boolean =>
  error instanceof TelltaleError ? passing.has(error.code) : isKafkaError(error);
