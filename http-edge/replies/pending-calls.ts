interface Pending<Answer> {
  readonly deadlineMs: number;
  readonly settle: (answer: Answer | undefined) => void;
}

/**
 * Calls that wait for an answer, by id. Deadlines are kept in buckets of `tickMs`, which one timer visits in
 * turn: a timer per call would cost more than all its other bookkeeping. An answer of `undefined` comes at
 * most a tick late.
 */
export class PendingCalls<Answer> {
  private readonly calls = new Map<string, Pending<Answer>>();
  private readonly buckets = new Map<number, string[]>();
  private timer: NodeJS.Timeout | undefined;
  private lastTick: number;

  constructor(
    private readonly tickMs = 25,
    /** A monotonic clock: if the wall clock stepped back, calls would wait for the same time twice. */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastTick = this.tickOf(now());
  }

  /** Resolves with the answer, or undefined after `waitMs`. */
  expect(id: string, waitMs: number): Promise<Answer | undefined> {
    if (waitMs <= 0) return Promise.resolve(undefined);
    const deadlineMs = this.now() + waitMs;
    return new Promise((settle) => {
      if (this.calls.size === 0) this.lastTick = this.tickOf(this.now()) - 1;
      this.calls.set(id, { deadlineMs, settle });
      const tick = this.tickOf(deadlineMs);
      const bucket = this.buckets.get(tick);
      if (bucket === undefined) this.buckets.set(tick, [id]);
      else bucket.push(id);
      this.timer ??= setInterval(() => this.expire(), this.tickMs);
    });
  }

  /** Passes the answer to the call that waits for it; false if none does. */
  settle(id: string, answer: Answer | undefined): boolean {
    const call = this.calls.get(id);
    if (call === undefined) return false;
    this.calls.delete(id);
    if (this.calls.size === 0) this.rest();
    call.settle(answer);
    return true;
  }

  /** Answers every call with undefined. */
  stop(): void {
    for (const id of [...this.calls.keys()]) this.settle(id, undefined);
  }

  get size(): number {
    return this.calls.size;
  }

  /** Settles the calls whose deadline has passed; the timer calls it. */
  expire(): void {
    const now = this.now();
    const current = this.tickOf(now);
    while (this.lastTick < current - 1) {
      this.lastTick += 1;
      const bucket = this.buckets.get(this.lastTick);
      this.buckets.delete(this.lastTick);
      for (const id of bucket ?? []) {
        // The id can have been answered and expected again since.
        const call = this.calls.get(id);
        if (call !== undefined && call.deadlineMs <= now) this.settle(id, undefined);
      }
    }
  }

  private tickOf(ms: number): number {
    return Math.floor(ms / this.tickMs);
  }

  /** No call waits: the ids left in the buckets were answered in time. */
  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.buckets.clear();
  }
}
