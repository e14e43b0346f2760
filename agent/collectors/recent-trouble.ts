/** For this long after trouble, a refusal may come from a node that can't read its security index yet. */
const settlingMs = 300_000;

/**
 * Tells a cluster that refuses credentials (401) from one that is starting, which refuses good ones too until it can
 * read the index of users and keys: a starting cluster was in trouble shortly before. Times are monotonic milliseconds.
 */
export class RecentTrouble {
  private seenAt = -Infinity;

  /** The cluster could not be reached, has no master, or has not recovered. */
  seen(now: number): void {
    this.seenAt = now;
  }

  /** Whether a refusal may be temporary: by the next interval the node may have started. */
  explainsRefusal(now: number): boolean {
    return now - this.seenAt < settlingMs;
  }
}
