/** One line of a file. */
export interface Line {
  /** Where it begins and ends in the file, in bytes before compression; includes its line break. */
  readonly offset: number;
  readonly end: number;
  /** Without its line break; no longer than `longestText` bytes. */
  readonly text: string;
  /** The line's end, if it is so long that its middle is not held. */
  readonly tail: string | null;
}

/** Longer texts are not held whole in memory: only their beginning, and up to `longestTail` of their end. */
export const longestText = 1024 * 1024;
export const longestTail = 64 * 1024;

const lineFeed = 10;

/** Splits the bytes of a file, from an offset on, into lines. A last one without its end is not returned. */
export async function* readLines(bytes: AsyncIterable<Buffer>, from: number): AsyncGenerator<Line> {
  let line = new LineBytes();
  let offset = from;
  let at = from;
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      line.add(chunk.subarray(start, end));
      at += end + 1 - start;
      yield { offset, end: at, ...line.texts() };
      line = new LineBytes();
      offset = at;
      start = end + 1;
    }
    line.add(chunk.subarray(start));
    at += chunk.length - start;
  }
}

/** The held part of a line, in bytes, because a character can extend across two reads. */
class LineBytes {
  private readonly head: Buffer[] = [];
  private held = 0;
  private readonly tail = new LastPieces<Buffer>();

  add(bytes: Buffer): void {
    const piece = this.held === 0 ? withoutFiller(bytes) : bytes;
    if (piece.length === 0) return;
    const room = longestText - this.held;
    if (room > 0) this.head.push(piece.subarray(0, room));
    if (piece.length > room) this.tail.add(piece.subarray(Math.max(0, room)));
    this.held += piece.length;
  }

  texts(): { text: string; tail: string | null } {
    const head = withoutMark(Buffer.concat(this.head));
    if (this.held <= longestText) return { text: withoutReturn(head.toString()), tail: null };
    return { text: head.toString(), tail: withoutReturn(Buffer.concat(this.tail.pieces()).toString()) };
  }
}

/** The last of many pieces: as few as together have the length of a tail, with what is put between them. */
export class LastPieces<Piece extends { readonly length: number }> {
  private all: Piece[] = [];
  /** The pieces before it are removed many at once, because each removal moves all others. */
  private first = 0;
  private length = 0;
  private readonly between: number;

  constructor(between = 0) {
    this.between = between;
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  add(piece: Piece): void {
    this.all.push(piece);
    this.length += piece.length + this.between;
    for (let first = this.all[this.first]; first !== undefined; first = this.all[this.first]) {
      const without = this.length - first.length - this.between;
      if (without < longestTail) break;
      this.length = without;
      this.first += 1;
    }
    if (this.first * 2 < this.all.length) return;
    this.all = this.pieces();
    this.first = 0;
  }

  pieces(): Piece[] {
    return this.all.slice(this.first);
  }
}

const zeros = Buffer.alloc(256 * 1024);

/** A file that was truncated while its writer was further on begins with zeros. */
export function withoutFiller(bytes: Buffer): Buffer {
  if (bytes[0] !== 0) return bytes;
  // There can be gigabytes of them.
  let start =
    bytes.length <= zeros.length && bytes.equals(zeros.subarray(0, bytes.length)) ? bytes.length : 0;
  while (bytes[start] === 0) start += 1;
  return bytes.subarray(start);
}

const byteOrderMark = Buffer.from('\uFEFF');

export const withoutMark = (line: Buffer): Buffer =>
  line.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? line.subarray(byteOrderMark.length) : line;

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);
