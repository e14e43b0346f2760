/**
 * Which job of its batch a worker is working on, in memory that it shares with the pool. The pool can read it
 * even if the worker hangs or is dead.
 */
export class Progress {
  readonly shared: SharedArrayBuffer;
  private readonly fields: Float64Array;

  constructor(shared = new SharedArrayBuffer(16)) {
    this.shared = shared;
    this.fields = new Float64Array(shared);
  }

  /**
   * The worker calls this before each job. It writes the time first: at worst, a reader between the two
   * writes waits slightly too long.
   */
  begin(index: number): void {
    this.fields[1] = monotonicMs();
    this.fields[0] = index + 1;
  }

  /** Index of the current job; undefined while the worker has not begun. */
  get index(): number | undefined {
    const begun = this.fields[0] ?? 0;
    return begun === 0 ? undefined : begun - 1;
  }

  /** Milliseconds that the current job has taken so far. */
  get elapsedMs(): number {
    return monotonicMs() - (this.fields[1] ?? 0);
  }
}

/** One clock for all threads of a process; `performance.now()` starts at a different time in each. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
