const firstChunkBytes = 16 * 1024;
const chunkBytes = 1024 * 1024;
/** Text that UTF-8 may need so much more room for is measured before it is written. */
const longText = 16 * 1024;
const mostBytesACharacter = 3;

/**
 * Text as UTF-8, written behind one another into chunks that grow with what they hold. A text is gone once it is
 * written: those that wait for the end of their range as strings are copied by every garbage collection until then, and
 * all over again into one of megabytes.
 */
export class RowBytes {
  private readonly full: Buffer[] = [];
  private chunk = Buffer.alloc(0);
  private used = 0;
  private inFull = 0;

  get length(): number {
    return this.inFull + this.used;
  }

  /** All that was written. They are not written to again, unless more is. */
  get chunks(): readonly Buffer[] {
    return this.used === 0 ? this.full : [...this.full, this.chunk.subarray(0, this.used)];
  }

  /** Writes the text of a JSON object, but with `more` before its closing brace, and what follows that in `more`. */
  writeObject(json: string, more: string): void {
    this.reserve(most(json) + most(more));
    this.used += this.chunk.write(json, this.used) - 1;
    this.used += this.chunk.write(more, this.used);
  }

  private reserve(bytes: number): void {
    if (this.chunk.length - this.used >= bytes) return;
    if (this.used > 0) this.full.push(this.chunk.subarray(0, this.used));
    this.inFull += this.used;
    const grown = Math.min(Math.max(this.chunk.length * 4, firstChunkBytes), chunkBytes);
    this.chunk = Buffer.allocUnsafeSlow(Math.max(grown, bytes));
    this.used = 0;
  }
}

function most(text: string): number {
  return text.length > longText ? Buffer.byteLength(text) : text.length * mostBytesACharacter;
}
