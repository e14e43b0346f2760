import { beginsEntry, beginsJsonEntry } from '../parse/parse.js';

/** One entry of a log file: a line, or several. */
export interface Entry {
  /** Where it begins and ends in the file, in bytes before compression; its last line break is within. */
  readonly offset: number;
  readonly end: number;
  /** Without its last line break; no longer than `longestEntry` characters. */
  readonly text: string;
}

/** Nothing longer is held in memory: the rest of such an entry is passed over. */
export const longestEntry = 1024 * 1024;

interface Line {
  readonly offset: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Cuts the bytes of a file, from an offset on, into entries. A last line without its end stays unread, as its writer is
 * still at it. So does a last entry of a plain log, which may go on, unless the file is `finished`.
 */
export async function* readEntries(
  bytes: AsyncIterable<Buffer>,
  from: number,
  finished: boolean,
): AsyncGenerator<Entry> {
  let open: { offset: number; end: number; lines: string[]; length: number } | undefined;
  for await (const line of linesOf(bytes, from)) {
    if (open !== undefined && beginsEntry(line.text)) {
      yield entryOf(open);
      open = undefined;
    }
    if (open === undefined) {
      const { offset, end, text } = line;
      if (beginsJsonEntry(text)) yield line;
      else open = { offset, end, lines: [text], length: text.length };
    } else {
      if (open.length < longestEntry) open.lines.push(line.text);
      open.length += line.text.length + 1;
      open.end = line.end;
    }
  }
  if (open !== undefined && finished) yield entryOf(open);
}

const entryOf = ({ offset, end, lines }: { offset: number; end: number; lines: string[] }): Entry => ({
  offset,
  end,
  text: lines.join('\n').slice(0, longestEntry),
});

const lineFeed = 10;
const carriageReturn = 13;

/** Lines with their ends, by bytes: a character may lie across two reads. */
async function* linesOf(bytes: AsyncIterable<Buffer>, from: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let held = 0;
  let offset = from;
  let at = from;
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      pieces.push(chunk.subarray(start, end));
      at += end + 1 - start;
      yield { offset, end: at, text: textOf(pieces) };
      pieces = [];
      held = 0;
      offset = at;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    at += rest.length;
    if (held < longestEntry) pieces.push(Buffer.from(rest));
    held += rest.length;
  }
}

function textOf(pieces: readonly Buffer[]): string {
  const line = Buffer.concat(pieces).subarray(0, longestEntry);
  const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
  return line.toString('utf8', 0, end);
}
