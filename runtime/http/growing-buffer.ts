/**
 * Collects bytes that arrive in pieces in one buffer that grows. Keeping the pieces of a body in chunks of
 * one byte would take some hundred times its length.
 */
export class GrowingBuffer {
  private bytes: Buffer = Buffer.alloc(0);
  private used = 0;

  /** @param most The most bytes that will arrive. */
  constructor(private readonly most: number) {}

  get length(): number {
    return this.used;
  }

  add(piece: Buffer): void {
    const needed = this.used + piece.length;
    if (this.used === 0) {
      // Most bodies are one piece, which needs no copy.
      this.bytes = piece;
    } else {
      if (needed > this.bytes.length) this.grow(Math.max(needed, Math.min(2 * needed, this.most)));
      piece.copy(this.bytes, this.used);
    }
    this.used = needed;
  }

  whole(): Buffer {
    return this.bytes.subarray(0, this.used);
  }

  private grow(capacity: number): void {
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }
}
