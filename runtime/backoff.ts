/** Pauses that double with each failure until a success, each shortened by up to a third at random. */
export class Backoff {
  private failures = 0;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {}

  succeeded(): void {
    this.failures = 0;
  }

  /** How long to wait after one more failure. */
  next(): number {
    const pause = Math.min(this.longestMs, this.firstMs * 2 ** this.failures);
    this.failures += 1;
    return pause * (1 - Math.random() / 3);
  }
}

/** Resolves after `ms`, or at once when the signal is aborted. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Calls `ask` until it answers; undefined once the deadline (milliseconds since 1970) has passed. */
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
        // Elections and restarts pass; the deadline limits the wait.
        await pause(25, expired.signal);
      }
    }
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like the work, or like `left` if the signal is aborted first. The work is not cancelled; its result is ignored. */
export async function untilAborted<Value, Left>(
  work: Promise<Value>,
  signal: AbortSignal,
  left: () => Left,
): Promise<Value | Left> {
  let leave = (): void => undefined;
  const aborted = new Promise<Left>((resolve, reject) => {
    leave = () => {
      try {
        resolve(left());
      } catch (error) {
        const reason = error as Error;
        reject(reason);
      }
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The same, but rejects with the signal's reason if the signal is aborted first. */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  return untilAborted(work, signal, () => {
    throw signal.reason as Error;
  });
}
