/** A stretch of the log that waits to be sent: up to `end`, its oldest item since `at`. */
interface Stretch {
  end: number;
  /** Milliseconds since 1970; null: it was there when the agent started. */
  readonly at: number | null;
}

const longestStretchMs = 1_000;
const mostStretches = 1_000;

/** Since when the oldest unsent item has waited: to the second, but less precisely the more items wait. */
export class Waiting {
  private stretches: Stretch[];

  /** `unsent`: whether items already waited when the agent started, up to `end`. */
  constructor(unsent: boolean, end: number) {
    this.stretches = unsent ? [{ end, at: null }] : [];
  }

  put(end: number, nowMs: number): void {
    const last = this.stretches.at(-1);
    if (last !== undefined && last.at !== null && nowMs - last.at < longestStretchMs) last.end = end;
    else this.stretches.push({ end, at: nowMs });
    if (this.stretches.length > mostStretches) this.stretches = inPairs(this.stretches);
  }

  /**
   * Since when the oldest item has waited, once everything before a position has arrived. Undefined if
   * nothing waits; null if it has waited since before the agent started.
   */
  since(arrivedBefore: number): number | null | undefined {
    const left = this.stretches.findIndex(({ end }) => end > arrivedBefore);
    this.stretches.splice(0, left === -1 ? this.stretches.length : left);
    return this.stretches[0]?.at;
  }
}

/** Joins two neighbours, with the time of the earlier. */
function inPairs(stretches: readonly Stretch[]): Stretch[] {
  return stretches.flatMap((stretch, index) =>
    index % 2 === 0 ? [{ ...stretch, end: stretches[index + 1]?.end ?? stretch.end }] : [],
  );
}
