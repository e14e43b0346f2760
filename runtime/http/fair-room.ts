/**
 * Room that the requests of a server share: for bytes of bodies, or for requests in flight. An owner may hold no more
 * than what is left free: a single owner gets half of the room, two get a third each, and there is always some left for
 * the next one.
 */
export class FairRoom {
  private taken = 0;
  private readonly held = new Map<string, number>();

  /** @param limit is called each time, because it may change. */
  constructor(private readonly limit: () => number) {}

  /** Takes the amount, and returns whether there was room. Requests without an owner may fill all of it. */
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
