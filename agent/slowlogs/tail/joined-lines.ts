import { LastPieces, longestText, type Line } from './read-lines.js';

/** Joins lines into one, and holds as much of it in memory as of a single line. */
export class JoinedLines {
  private readonly offset: number;
  private end: number;
  private readonly head: string[] = [];
  private held = 0;
  private readonly between: string;
  private readonly tail: LastPieces<string>;

  /** `between` is put between every two of them. */
  constructor(first: Line, between: string) {
    this.offset = first.offset;
    this.end = first.end;
    this.between = between;
    this.tail = new LastPieces<string>(between.length);
    this.add(first);
  }

  add({ end, text, tail }: Line): void {
    if (this.held < longestText && this.tail.isEmpty) this.head.push(text);
    else this.tail.add(text);
    if (tail !== null) this.tail.add(tail);
    this.held += text.length + (tail?.length ?? 0) + this.between.length;
    this.end = end;
  }

  line(): Line {
    const text = this.head.join(this.between);
    const behind = [...(text.length > longestText ? [text.slice(longestText)] : []), ...this.tail.pieces()];
    const tail = behind.join(this.between);
    return {
      offset: this.offset,
      end: this.end,
      text: text.slice(0, longestText),
      tail: tail === '' ? null : tail,
    };
  }
}
