/**
 * Room that the requests of a server share: for bytes of bodies, or for requests in flight. An owner may hold no more
 * than what is left free: one alone gets half of the room, two a third each, and there is always some for whoever comes
 * next.
 */
export class FairRoom {
  private taken = 0;
  private readonly held = new Map<string, number>();

  /** @param limit is asked each time, as it may change. */
  constructor(private readonly limit: () => number) {}

  /** Whether there was room, which is taken then. What has no owner may fill all of it. */
  take(amount: number, owner?: string): boolean {
    const free = this.limit() - this.taken - amount;
    if (owner === undefined) {
      if (free < 0) return false;
    } else {
      const held = (this.held.get(owner) ?? 0) + amount;
      if (held > free) return false;
      this.held.set(owner, held);
    }
    this.taken += amount;
    return true;
  }

  give(amount: number, owner?: string): void {
    this.taken -= amount;
    if (owner === undefined) return;
    const left = (this.held.get(owner) ?? 0) - amount;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
  }
}
