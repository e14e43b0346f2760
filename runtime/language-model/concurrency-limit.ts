/** At most `width` callers at a time and at most `queue` waiting, first come, first served. */
export interface ConcurrencyLimit {
  /**
   * Resolves with a function that releases the permit; calling it again does nothing. Rejects with the
   * signal's reason, or at once with QueueFull.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export class QueueFull extends Error {
  constructor(readonly waiting: number) {
    super(`${waiting} are already waiting`);
    this.name = 'QueueFull';
  }
}

export function createConcurrencyLimit(width: number, queue: number): ConcurrencyLimit {
  const waiting = new Set<() => void>();
  let running = 0;

  const leave = (): void => {
    running -= 1;
    const [next] = waiting;
    next?.();
  };
  const enter = (): (() => void) => {
    running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  };

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (running < width) return enter();
      if (waiting.size >= queue) throw new QueueFull(waiting.size);
      return await new Promise((resolve, reject) => {
        const abandoned = (): void => {
          waiting.delete(called);
          reject(signal.reason as Error);
        };
        const called = (): void => {
          waiting.delete(called);
          signal.removeEventListener('abort', abandoned);
          resolve(enter());
        };
        signal.addEventListener('abort', abandoned, { once: true });
        waiting.add(called);
      });
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
  };
}
