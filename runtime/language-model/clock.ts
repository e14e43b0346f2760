import { setTimeout as delay } from 'node:timers/promises';

/** Time, passed in, so that code that waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch {
      throw signal.reason;
    }
  },
};
