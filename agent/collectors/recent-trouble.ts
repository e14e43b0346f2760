/** How long after trouble a refusal may be that of a node which can't read its security index yet. */
const settlingMs = 300_000;

/**
 * Tells a cluster that refuses credentials (401) from one that is starting, which refuses good ones too until it can
 * read the index that holds users and keys: that one was seen in trouble shortly before. Times are monotonic
 * milliseconds.
 */
export class RecentTrouble {
  private seenAt = -Infinity;

  /** It could not be reached, has no master, or has not recovered. */
  seen(now: number): void {
    this.seenAt = now;
  }

  /** Whether a refusal may pass by itself: by the next interval the node may have started. */
  explainsRefusal(now: number): boolean {
    return now - this.seenAt < settlingMs;
  }
}
