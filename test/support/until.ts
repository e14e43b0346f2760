import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine, and below mocha's own limit, whose error would not name the condition. */
const patienceMs = 240_000;

/** Resolves once the condition holds; throws if it never does. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const asked = performance.now();
    if (await condition()) return;
    const now = performance.now();
    if (now - begun > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(pauseMs(now - begun, now - asked));
  }
}

/**
 * Checking takes processor time from the awaited work. So the pause is as long as the check took, and at
 * least a fiftieth of the wait so far.
 */
const pauseMs = (waitedMs: number, tookMs: number): number =>
  Math.min(500, Math.max(10, tookMs, waitedMs / 50));
