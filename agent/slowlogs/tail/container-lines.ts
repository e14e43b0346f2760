import { z } from 'zod';
import { JoinedLines } from './joined-lines.js';
import type { Line } from './read-lines.js';

/**
 * A line of the log that Docker's driver `json-file` writes for a container; lines longer than 16 KiB are split into
 * several.
 */
const record = z.object({ log: z.string(), stream: z.enum(['stdout', 'stderr']), time: z.string() });
const recordBegin = '{"log":"';

/**
 * The lines that the process of a container wrote, if the lines come from its log; all others are unchanged.
 * A line in several records is only returned once the last of them is there. What a process writes to stderr
 * is no log of operations, and can be between two records of one line.
 */
export async function* fromContainer(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let open: JoinedLines | undefined;
  for await (const line of lines) {
    const found = line.text.startsWith(recordBegin) && line.tail === null ? recordIn(line.text) : null;
    if (found?.stream === 'stderr') continue;
    if (found === null) {
      open = undefined;
      yield line;
      continue;
    }
    const isLast = found.log.endsWith('\n');
    const text = isLast ? found.log.replace(/\r?\n$/, '') : found.log;
    if (open === undefined) open = new JoinedLines({ ...line, text }, '');
    else open.add({ ...line, text });
    if (!isLast) continue;
    yield open.line();
    open = undefined;
  }
}

function recordIn(line: string): z.infer<typeof record> | null {
  try {
    return record.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** What the process wrote first, if the line with this beginning is from a container; else the beginning. */
export function writtenIn(beginning: string): string {
  const text = /^\{"log":("(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*)/.exec(beginning)?.[1];
  return text === undefined ? beginning : (JSON.parse(`${text}"`) as string);
}
