/** For this long after trouble, a refusal can come from a node that can't read its security index yet. */
const settlingMs = 300_000;

/**
 * Distinguishes a cluster that refuses credentials (401) from one that is starting. A starting cluster also
 * refuses good ones until it can read the index of users and keys, but it was in trouble shortly before.
 * Times are monotonic milliseconds.
 */
export class RecentTrouble {
  private seenAt = -Infinity;

  /** The cluster could not be reached, has no master, or has not recovered. */
  seen(now: number): void {
    this.seenAt = now;
  }

  /** Whether a refusal might be temporary: the node might have started by the next interval. */
  explainsRefusal(now: number): boolean {
    return now - this.seenAt < settlingMs;
  }
}
