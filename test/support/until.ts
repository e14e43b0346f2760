import { setTimeout as sleep } from 'node:timers/promises';

/** Only names a condition that is never met: far beyond the needs of a busy machine, within mocha's own limit. */
const patienceMs = 240_000;

/** Resolves once the condition holds; throws where it never does. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(10);
  }
}
