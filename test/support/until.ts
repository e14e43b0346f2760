import { setTimeout as sleep } from 'node:timers/promises';

/** Only names a condition that is never met: far beyond the needs of a busy machine, within mocha's own limit. */
const patienceMs = 240_000;

/** Resolves once the condition holds; throws where it never does. */
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
 * To ask takes processor time from what is waited for: the pause is as long as the question took, and at least a
 * fiftieth of the wait so far.
 */
const pauseMs = (waitedMs: number, tookMs: number): number =>
  Math.min(500, Math.max(10, tookMs, waitedMs / 50));
