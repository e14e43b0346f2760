import { createHash } from 'node:crypto';
import { beginsEntry } from '../parse/parse.js';
import { contentOf, type OpenLog } from './log-file.js';
import type { TailState } from './positions.js';
import { longestText, withoutFiller, withoutMark } from './read-lines.js';

/** What a file is known by, whatever it is called by now: it grows, is renamed, copied and compressed. */
export interface Identity {
  /** Digest of the first line that begins an entry, which holds a time. */
  readonly name: string;
  /** Digest of the first line, whatever it is: earlier versions kept positions by it, and ids are made of it. */
  readonly firstLine: string;
}

/** `unwritten`: it has no whole line yet. `strange`: it has, and none of them begins an entry. */
export type Identified = Identity | 'unwritten' | 'strange';

/** Most begin with an entry. */
const firstLook = 16 * 1024;

export async function identify(log: OpenLog): Promise<Identified> {
  const pieces: Buffer[] = [];
  let length = 0;
  let wanted = firstLook;
  for await (const piece of contentOf(log, 0, firstLook)) {
    pieces.push(piece);
    length += piece.length;
    if (length < wanted) continue;
    const found = identityIn(Buffer.concat(pieces));
    if (typeof found === 'object' || wanted === longestText) return found;
    wanted = longestText;
  }
  return identityIn(Buffer.concat(pieces));
}

/** As much of a line as it is known by: a longer one need not be whole. */
const longestLine = 4_096;

function identityIn(head: Buffer): Identified {
  let firstLine: Buffer | undefined;
  for (let start = 0; start < head.length;) {
    const end = head.indexOf(10, start);
    if (end === -1 && head.length - start < longestLine) break;
    const line = head.subarray(start, end === -1 ? head.length : end);
    firstLine ??= line;
    const said = withoutMark(withoutFiller(line));
    if (beginsEntry(said.toString())) return { name: digestOf(said), firstLine: digestOf(firstLine) };
    if (end === -1) break;
    start = end + 1;
  }
  return head.toString().trim() === '' || firstLine === undefined ? 'unwritten' : 'strange';
}

const digestOf = (line: Buffer): string =>
  createHash('sha256').update(line.subarray(0, longestLine)).digest('hex').slice(0, 32);

/** Under which name the position of a file is kept, if it is. */
export function keptAs({ name, firstLine }: Identity, positions: TailState['positions']): string | undefined {
  return [name, firstLine].find((each) => each in positions);
}
