/**
 * Room that the requests of a server share, for bytes of bodies or for requests in flight. An owner may hold
 * no more than what remains free. So one alone gets half of the room, two get a third each, and there is
 * always some for the next. All owners of a group together may hold no more than twice what remains free: a
 * third of the room stays for other groups, however many owners one has.
 */
export class FairRoom {
  private taken = 0;
  private readonly held = new Map<string, number>();
  private readonly heldByGroup = new Map<string, number>();

  /** @param limit is called each time, because it can change. */
  constructor(private readonly limit: () => number) {}

  /**
   * Takes the room if there is enough, and returns whether it did. Without an owner, all of it may be taken.
   */
  take(amount: number, owner?: string, group = owner): boolean {
    const free = this.limit() - this.taken - amount;
    if (owner === undefined || group === undefined) {
      if (free < 0) return false;
    } else {
      const held = (this.held.get(owner) ?? 0) + amount;
      const heldByGroup = (this.heldByGroup.get(group) ?? 0) + amount;
      if (held > free || heldByGroup > 2 * free) return false;
      this.held.set(owner, held);
      this.heldByGroup.set(group, heldByGroup);
    }
    this.taken += amount;
    return true;
  }

  give(amount: number, owner?: string, group = owner): void {
    this.taken -= amount;
    if (owner === undefined || group === undefined) return;
    release(this.held, owner, amount);
    release(this.heldByGroup, group, amount);
  }
}

function release(held: Map<string, number>, by: string, amount: number): void {
  const left = (held.get(by) ?? 0) - amount;
  if (left > 0) held.set(by, left);
  else held.delete(by);
}
