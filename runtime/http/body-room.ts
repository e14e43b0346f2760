/** How many bytes of bodies all requests of a server may have in memory together. */
export class BodyRoom {
  private taken = 0;

  /** @param limit in bytes; asked each time, as it may change. */
  constructor(private readonly limit: () => number) {}

  /** Whether there was room, which is taken then. */
  take(bytes: number): boolean {
    if (this.taken + bytes > this.limit()) return false;
    this.taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.taken -= bytes;
  }
}
