import { setTimeout as sleep } from 'node:timers/promises';

/** The most lost time made up for at full speed. What caused a longer wait has only just recovered. */
const maxCatchUpMs = 1_000;

/** Limits work to a rate, and measures the rate. */
export class Pace {
  private readonly startedAt: number;
  private done = 0;
  /** When the next record may be done. */
  private due: number;

  /** `limit`: records per second; unlimited if undefined. */
  constructor(
    readonly limit?: number,
    private readonly now = () => performance.now(),
  ) {
    this.startedAt = now();
    this.due = this.startedAt;
  }

  /** Counts this many more as done. Resolves once the next may start, or the signal is aborted. */
  async did(count: number, signal?: AbortSignal): Promise<void> {
    this.done += count;
    if (this.limit === undefined) return;
    const now = this.now();
    this.due = Math.max(this.due + (count / this.limit) * 1_000, now - maxCatchUpMs);
    if (this.due > now) await sleep(this.due - now, undefined, { signal }).catch(() => undefined);
  }

  /** Records per second since the start; null before the first. */
  get rate(): number | null {
    const seconds = (this.now() - this.startedAt) / 1_000;
    return this.done === 0 || seconds === 0 ? null : this.done / seconds;
  }
}
