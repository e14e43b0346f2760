import { beginsEntry, beginsJsonEntry } from '../parse/parse.js';
import { LastPieces, longestText, readLines, type Line } from './read-lines.js';

/** One entry of a log file: a line, or several. */
export type Entry = Line;

/**
 * Cuts the bytes of a file, from an offset on, into entries. A last line without its end stays unread, as its writer is
 * still at it. So does a last entry of a plain log, which may go on, unless the file is `finished`.
 */
export async function* readEntries(
  bytes: AsyncIterable<Buffer>,
  from: number,
  finished: boolean,
): AsyncGenerator<Entry> {
  let open: Lines | undefined;
  for await (const line of readLines(bytes, from)) {
    if (open !== undefined && beginsEntry(line.text)) {
      yield open.entry();
      open = undefined;
    }
    if (open !== undefined) open.add(line);
    else if (beginsJsonEntry(line.text)) yield line;
    else open = new Lines(line);
  }
  if (open !== undefined && finished) yield open.entry();
}

const lineBreak = '\n';

/** The lines of one entry, as much as is held of it. */
class Lines {
  readonly #offset: number;
  #end: number;
  readonly #head: string[] = [];
  #held = 0;
  readonly #tail = new LastPieces<string>(lineBreak.length);

  constructor(first: Line) {
    this.#offset = first.offset;
    this.#end = first.end;
    this.add(first);
  }

  add({ end, text, tail }: Line): void {
    if (this.#held < longestText && this.#tail.isEmpty) this.#head.push(text);
    else this.#tail.add(text);
    if (tail !== null) this.#tail.add(tail);
    this.#held += text.length + (tail?.length ?? 0) + lineBreak.length;
    this.#end = end;
  }

  entry(): Entry {
    const text = this.#head.join(lineBreak);
    const behind = [...(text.length > longestText ? [text.slice(longestText)] : []), ...this.#tail.pieces()];
    return {
      offset: this.#offset,
      end: this.#end,
      text: text.slice(0, longestText),
      tail: behind.length === 0 ? null : behind.join(lineBreak),
    };
  }
}
