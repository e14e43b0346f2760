import { pause } from '../../backoff.js';

/** Asks until there is an answer or the deadline (milliseconds since 1970) has passed; then it is undefined. */
export async function untilAvailable<Answer>(
  ask: () => Promise<Answer>,
  deadline: number,
): Promise<Answer | undefined> {
  const expired = new AbortController();
  const timer = setTimeout(() => expired.abort(), Math.max(0, deadline - Date.now()));
  const timeout = new Promise<undefined>((resolve) =>
    expired.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  try {
    while (!expired.signal.aborted) {
      try {
        return await Promise.race([ask(), timeout]);
      } catch {
        // Leader changes and restarts end; the deadline limits how long they may take.
        await pause(25, expired.signal);
      }
    }
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
