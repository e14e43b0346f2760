import { setTimeout as sleep } from 'node:timers/promises';

/** The age of a live lane's first unread record, and the age up to which a replay runs at full speed. */
export interface LiveLag {
  /** The consumer group of the lane. */
  readonly lane: string;
  /** Whether the lane's group has no members. */
  readonly isStopped: boolean;
  readonly seconds: number | null;
  readonly mostSeconds: number;
}

/** Whether this process has real-time calls. */
export interface LiveCallers {
  readonly areArriving: boolean;
}

export interface LiveBrake {
  /** Resolves once no live lane lags, or after a while: a replay slows down but never stops. */
  wait(signal: AbortSignal): Promise<void>;
  /**
   * How many records may be scored and committed at once: few during real-time calls, so that none waits
   * long.
   */
  readonly portion: number;
  /** During real-time calls, pauses after work of this duration: the replay uses only a share of the time. */
  rest(workedMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

const lookEveryMs = 1_000;
const crawlMs = 5_000;
const portions = { alone: 400, duringCalls: 40 } as const;
/** The rest as a multiple of the work. Each rest is short, so that the end of the calls is soon noticed. */
const restShare = 4;
const longestRestMs = 1_000;

/**
 * `look` may reject: an unknown lag delays nothing, and if Kafka is down nothing is committed anyway. `waits`
 * gets each lane that is waited for: once, and once more if none of its processes runs.
 */
export function startLiveBrake(
  look: () => Promise<readonly LiveLag[]>,
  calls: LiveCallers,
  waits: (lag: LiveLag) => void = () => undefined,
): LiveBrake {
  const stopped = new AbortController();
  // Nothing proceeds before the first look.
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
      return calls.areArriving ? portions.duringCalls : portions.alone;
    },
    async rest(workedMs, signal) {
      if (!calls.areArriving) return;
      const restMs = Math.min(longestRestMs, workedMs * restShare);
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    },
    stop: () => stopped.abort(),
  };
}
