import { setTimeout as sleep } from 'node:timers/promises';

/** Limits work to a rate, and measures the rate. */
export class Pace {
  private readonly startedAt = performance.now();
  private done = 0;

  /** `limit`: records a second; unlimited where it is undefined. */
  constructor(readonly limit?: number) {}

  /** This many more are done; resolves once the next may begin, or the signal is aborted. */
  async did(count: number, signal?: AbortSignal): Promise<void> {
    this.done += count;
    if (this.limit === undefined) return;
    const early = (this.done / this.limit) * 1_000 - (performance.now() - this.startedAt);
    if (early > 0) await sleep(early, undefined, { signal }).catch(() => undefined);
  }

  /** Records a second since the beginning; null before the first. */
  get rate(): number | null {
    const seconds = (performance.now() - this.startedAt) / 1_000;
    return this.done === 0 || seconds === 0 ? null : this.done / seconds;
  }
}
