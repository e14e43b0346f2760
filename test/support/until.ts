import { setTimeout as sleep } from 'node:timers/promises';

/** Only there so that what never comes is named: far beyond what a busy machine takes, within mocha's own limit. */
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
