import { setTimeout as sleep } from 'node:timers/promises';

/** How old the first unread record of a live lane is, and how old it may be while a replay goes on at full speed. */
export interface LiveLag {
  /** The consumer group of the lane. */
  readonly lane: string;
  /** Whether no process is a member of it. */
  readonly isStopped: boolean;
  readonly seconds: number | null;
  readonly mostSeconds: number;
}

/** Whether real-time calls come in at this process. */
export interface LiveCallers {
  readonly areComing: boolean;
}

export interface LiveBrake {
  /** Resolves once no live lane lags; after a while in any case, so that a replay crawls and never stands still. */
  wait(signal: AbortSignal): Promise<void>;
  /** How many records may be scored and committed at once: few beside real-time calls, so that none waits for long. */
  readonly portion: number;
  /** After work that took so long: beside real-time calls the replay takes only a share of the time. */
  rest(workedMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

const lookEveryMs = 1_000;
const crawlMs = 5_000;
const portions = { alone: 400, besideCalls: 40 } as const;
/** Times the work; a rest is short, so that the calls' end is soon noticed. */
const restShare = 4;
const longestRestMs = 1_000;

/**
 * `look` may reject: what is unknown holds nobody up, and where Kafka is away nothing is committed anyway. `waits` is told
 * which lane is waited for: once of each, and once more where no process of it runs.
 */
export function startLiveBrake(
  look: () => Promise<readonly LiveLag[]>,
  calls: LiveCallers,
  waits: (lag: LiveLag) => void = () => undefined,
): LiveBrake {
  const stopped = new AbortController();
  // Nobody goes on before the first look.
  let isPressed = true;
  let pressing: readonly LiveLag[] = [];
  const told = new Set<string>();
  const tell = (): void => {
    for (const lag of pressing) {
      const said = `${lag.lane} ${lag.isStopped}`;
      if (!told.has(said)) waits(lag);
      told.add(said);
    }
  };
  const lookAgainAndAgain = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const lags = await look().catch(() => []);
      pressing = lags.filter(({ seconds, mostSeconds }) => seconds !== null && seconds > mostSeconds);
      isPressed = pressing.length > 0;
      await sleep(lookEveryMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  };
  void lookAgainAndAgain();
  return {
    async wait(signal) {
      const deadline = performance.now() + crawlMs;
      while (isPressed && !signal.aborted && performance.now() < deadline) {
        tell();
        await sleep(100);
      }
    },
    get portion() {
      return calls.areComing ? portions.besideCalls : portions.alone;
    },
    async rest(workedMs, signal) {
      if (!calls.areComing) return;
      const restMs = Math.min(longestRestMs, workedMs * restShare);
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    },
    stop: () => stopped.abort(),
  };
}
