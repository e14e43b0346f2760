/** A reading is served again for at least this long. */
const leastMs = 5_000;
/** A reading is served for this many times its own duration, so reading takes at most a tenth of the time. */
const restFactor = 9;

/**
 * A value that is read on request and kept for a while. Concurrent callers share a reading, and a failed one
 * is dropped.
 */
export class KeptReading<Value> {
  private reading: Promise<Value> | undefined;
  private goodUntil = Infinity;

  constructor(
    private readonly read: () => Promise<Value>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(): Promise<Value> {
    if (this.reading !== undefined && this.now() < this.goodUntil) return this.reading;
    const begunAt = this.now();
    const begun = this.read();
    this.reading = begun;
    this.goodUntil = Infinity;
    begun.then(
      () => {
        const tookMs = this.now() - begunAt;
        if (this.reading === begun) this.goodUntil = this.now() + Math.max(leastMs, restFactor * tookMs);
      },
      () => {
        if (this.reading === begun) this.forget();
      },
    );
    return begun;
  }

  forget(): void {
    this.reading = undefined;
  }
}
