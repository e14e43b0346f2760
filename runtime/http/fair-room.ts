/**
 * Room that the requests of a server share: for bytes of bodies, or for requests in flight. An owner may hold no more
 * than what is left free: one alone gets half of the room, two a third each, and there is always some for whoever comes
 * next. All owners of a group hold no more than twice what is left free: a third of the room is for other groups,
 * however many owners one has.
 */
export class FairRoom {
  private taken = 0;
  private readonly held = new Map<string, number>();
  private readonly heldByGroup = new Map<string, number>();

  /** @param limit is asked each time, as it may change. */
  constructor(private readonly limit: () => number) {}

  /** Whether there was room, which is taken then. What has no owner may fill all of it. */
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
