import { setTimeout as sleep } from 'node:timers/promises';
import type { Replay } from '../../schemas/generated/replay.js';

export interface ReplayTurnsOptions {
  /** The replays that no process works on. */
  readonly free: () => readonly Replay[];
  /** Works on a replay until it has ended or `leave` is aborted. */
  readonly work: (replay: Replay, leave: AbortSignal) => Promise<void>;
  /** How long a replay runs before it yields to another workspace's, in milliseconds. */
  readonly turnMs: number;
  readonly lookEveryMs: number;
}

/** Works on one replay at a time until it is stopped. Workspaces take turns, whatever each of them asks for. */
export async function takeTurns(options: ReplayTurnsOptions, stopped: AbortSignal): Promise<void> {
  /** In the order of their last turns. */
  const had = new Set<string>();
  while (!stopped.aborted) {
    const next = nextOf(options.free(), [...had]);
    if (next !== undefined) {
      await oneTurn(options, next, stopped);
      had.delete(workspaceOf(next));
      had.add(workspaceOf(next));
    }
    await sleep(options.lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
  }
}

async function oneTurn(
  { free, work, turnMs, lookEveryMs }: ReplayTurnsOptions,
  replay: Replay,
  stopped: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const since = performance.now();
  const looking = setInterval(() => {
    if (performance.now() - since < turnMs) return;
    if (free().some((other) => workspaceOf(other) !== workspaceOf(replay))) over.abort();
  }, lookEveryMs);
  try {
    await work(replay, AbortSignal.any([stopped, over.signal]));
  } finally {
    clearInterval(looking);
  }
}

/** The oldest replay of the workspace that has waited longest. */
function nextOf(free: readonly Replay[], had: readonly string[]): Replay | undefined {
  const turnOf = (replay: Replay): number => had.indexOf(workspaceOf(replay));
  return [...free].sort((one, other) => turnOf(one) - turnOf(other) || one.created_at - other.created_at)[0];
}

/** Replays of all workspaces, or of none, count as those of one more workspace. */
const workspaceOf = ({ parameters }: Replay): string =>
  (JSON.parse(parameters) as { readonly workspace?: string | null }).workspace ?? '';
