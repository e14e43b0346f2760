import { isPassing } from './protocol-error.js';

export interface Patience {
  readonly retryForMs: number;
  /** Waits, and prepares the next try. */
  readonly beforeNext: (error: unknown) => Promise<void>;
  /** This often at least, however long a try takes; once unless given. */
  readonly leastTries?: number;
  /** Nothing is tried after it is aborted. */
  readonly closed?: AbortSignal | undefined;
}

/** Tries until it succeeds. An error that does not pass is thrown at once, and the last one once the time is over. */
export async function tryWhilePassing<Answer>(
  attempt: () => Promise<Answer>,
  { retryForMs, beforeNext, leastTries = 1, closed }: Patience,
): Promise<Answer> {
  const deadline = performance.now() + retryForMs;
  for (let tries = 1; ; tries++) {
    closed?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || (tries >= leastTries && performance.now() > deadline)) throw error;
      await beforeNext(error);
    }
  }
}
