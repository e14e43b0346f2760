import { z } from 'zod';
import { JoinedLines } from './joined-lines.js';
import type { Line } from './read-lines.js';

/** A piece of a line that the process of a container wrote: lines longer than 16 KiB are split. */
interface Piece {
  readonly text: string;
  readonly stream: string;
  readonly isLast: boolean;
}

/**
 * The lines that the process of a container wrote, if the lines come from its log; all others are unchanged. A line in
 * several pieces is only returned once the last of them is there. What a process writes to stderr is no log of
 * operations, and can be between two pieces of one line.
 */
export async function* fromContainer(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let open: JoinedLines | undefined;
  for await (const line of lines) {
    const piece = line.tail === null ? (dockerPiece(line.text) ?? kubernetesPiece(line.text)) : null;
    if (piece?.stream === 'stderr') continue;
    if (piece === null) {
      open = undefined;
      yield line;
      continue;
    }
    const text = piece.isLast ? piece.text.replace(/\r?\n?$/, '') : piece.text;
    if (open === undefined) open = new JoinedLines({ ...line, text }, '');
    else open.add({ ...line, text });
    if (!piece.isLast) continue;
    yield open.line();
    open = undefined;
  }
}

/** A line of Docker's driver `json-file`; the last piece contains the line break. */
const dockerRecord = z.object({ log: z.string(), stream: z.enum(['stdout', 'stderr']), time: z.string() });

function dockerPiece(line: string): Piece | null {
  if (!line.startsWith('{"log":"')) return null;
  try {
    const { data } = dockerRecord.safeParse(JSON.parse(line));
    return data === undefined
      ? null
      : { text: data.log, stream: data.stream, isLast: data.log.endsWith('\n') };
  } catch {
    return null;
  }
}

/**
 * What containerd and CRI-O write before each piece: the time, the stream, and tags, of which the first is `P` if the
 * line continues in the next piece, or `F`.
 * Source: Kubernetes, design proposal "CRI: Log management for container stdout/stderr streams".
 */
const kubernetesPrefix =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) (stdout|stderr) ([FP])(?::\S{0,100})? /;

function kubernetesPiece(line: string): Piece | null {
  const [prefix, stream, tag] = kubernetesPrefix.exec(line) ?? [];
  return prefix === undefined || stream === undefined
    ? null
    : { text: line.slice(prefix.length), stream, isLast: tag === 'F' };
}

/** What the process wrote first, if the line with this beginning is from a container; else the beginning. */
export function writtenIn(beginning: string): string {
  const text = /^\{"log":("(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*)/.exec(beginning)?.[1];
  return text === undefined ? beginning.replace(kubernetesPrefix, '') : (JSON.parse(`${text}"`) as string);
}
