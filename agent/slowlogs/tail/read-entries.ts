import { beginsEntry, beginsJsonEntry } from '../parse/parse.js';
import { fromContainer } from './container-lines.js';
import { JoinedLines } from './joined-lines.js';
import { readLines, type Line } from './read-lines.js';

/** One entry of a log file: a line, or several. */
export type Entry = Line;

const lineBreak = '\n';

/**
 * Splits the bytes of a file, from an offset on, into entries. A last line without its end is not read,
 * because its writer has not finished it. Nor is the last entry of a plain log, which can continue, unless
 * the file is `finished`.
 */
export async function* readEntries(
  bytes: AsyncIterable<Buffer>,
  from: number,
  finished: boolean,
): AsyncGenerator<Entry> {
  let open: JoinedLines | undefined;
  for await (const line of fromContainer(readLines(bytes, from))) {
    if (open !== undefined && beginsEntry(line.text)) {
      yield open.line();
      open = undefined;
    }
    if (open !== undefined) open.add(line);
    else if (beginsJsonEntry(line.text)) yield line;
    else open = new JoinedLines(line, lineBreak);
  }
  if (open !== undefined && finished) yield open.line();
}
