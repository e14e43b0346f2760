import { createHash } from 'node:crypto';
import { beginsEntry } from '../parse/parse.js';
import { writtenIn } from './container-lines.js';
import { contentOf, type OpenLog } from './log-file.js';
import { longestText, withoutFiller, withoutMark } from './read-lines.js';

/** Identifies a file whatever its present name, even if it grows, is renamed, copied or compressed. */
export interface Identity {
  /** Digest of the first line that begins an entry, which contains a time. */
  readonly name: string;
  /** Digest of the first line of any kind: ids of entries are derived from it. */
  readonly firstLine: string;
}

/** `unwritten`: it has no complete line yet. `strange`: it has some, and none of them begins an entry. */
export type Identified = Identity | 'unwritten' | 'strange';

/** Most files begin with an entry. */
const firstLook = 16 * 1024;

/** Rejects if the file can't be read to its end, and the readable part does not identify it. */
export async function identify(log: OpenLog): Promise<Identified> {
  const pieces: Buffer[] = [];
  let length = 0;
  let wanted = firstLook;
  try {
    for await (const piece of withShortFiller(contentOf(log, 0))) {
      pieces.push(piece);
      length += piece.length;
      if (length < wanted) continue;
      const found = identityIn(Buffer.concat(pieces));
      if (typeof found === 'object' || wanted === longestText) return found;
      wanted = longestText;
    }
  } catch (error) {
    const found = identityIn(Buffer.concat(pieces));
    if (typeof found === 'object') return found;
    throw error;
  }
  return identityIn(Buffer.concat(pieces));
}

/** The part of a line that identifies it: a longer one need not be complete. */
const longestLine = 4_096;

/**
 * Limits the zeros at the beginning of a file to those that identify it. If a log is truncated while its
 * writer is further on, it begins with as many zeros as had been written until then.
 */
async function* withShortFiller(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let room = longestLine;
  let isFiller: boolean = true;
  for await (const piece of bytes) {
    const rest: Buffer = isFiller ? withoutFiller(piece) : piece;
    const zeros = Math.min(room, piece.length - rest.length);
    room -= zeros;
    isFiller &&= rest.length === 0;
    if (zeros > 0) yield Buffer.alloc(zeros);
    if (rest.length > 0) yield rest;
  }
}

function identityIn(head: Buffer): Identified {
  let firstLine: Buffer | undefined;
  for (let start = 0; start < head.length;) {
    const end = head.indexOf(10, start);
    const line = head.subarray(start, end === -1 ? head.length : end);
    const said = withoutMark(withoutFiller(line));
    if (end === -1 && said.length < longestLine) break;
    firstLine ??= line;
    if (beginsEntry(writtenIn(said.subarray(0, longestLine).toString())))
      return { name: digestOf(said), firstLine: digestOf(firstLine) };
    if (end === -1) break;
    start = end + 1;
  }
  return firstLine === undefined || head.toString().trim() === '' ? 'unwritten' : 'strange';
}

const digestOf = (line: Buffer): string =>
  createHash('sha256').update(line.subarray(0, longestLine)).digest('hex').slice(0, 32);
