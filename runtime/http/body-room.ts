/**
 * How many bytes of bodies all requests of a server may have in memory together. An owner may hold no more than what is
 * left free: one alone gets half of the room, two a third each, and there is always some for whoever comes next.
 */
export class BodyRoom {
  private taken = 0;
  private readonly held = new Map<string, number>();

  /** @param limit in bytes; asked each time, as it may change. */
  constructor(private readonly limit: () => number) {}

  /** Whether there was room, which is taken then. Bytes without an owner may fill all of it. */
  take(bytes: number, owner?: string): boolean {
    const free = this.limit() - this.taken - bytes;
    if (owner === undefined) {
      if (free < 0) return false;
    } else {
      const held = (this.held.get(owner) ?? 0) + bytes;
      if (held > free) return false;
      this.held.set(owner, held);
    }
    this.taken += bytes;
    return true;
  }

  give(bytes: number, owner?: string): void {
    this.taken -= bytes;
    if (owner === undefined) return;
    const left = (this.held.get(owner) ?? 0) - bytes;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
  }
}
