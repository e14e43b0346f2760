import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A file of a slow log as it was found: the one that is written to, or one that was rotated. */
export interface LogFile {
  readonly path: string;
  readonly compressed: boolean;
  /** Device and inode: two names of one file have the same. */
  readonly place: string;
  /** Bytes as they lie on disk. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Looks at a file; null where it is gone. Rejects where it may not be looked at. */
export async function lookAt(path: string): Promise<LogFile | null> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return null;
    return {
      path,
      compressed: path.endsWith('.gz'),
      place: `${found.dev}:${found.ino}`,
      size: found.size,
      changedAt: found.mtimeMs,
    };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const longestFirstLine = 4_096;

/**
 * What a file is known by, whatever it is called by now: the digest of its first line, which holds a time and stays the
 * same while the file grows, is renamed and is compressed. Null while there is no whole line.
 */
export async function identityOf(file: LogFile): Promise<string | null> {
  const head = file.compressed ? await headOfCompressed(file.path) : await headOf(file.path);
  const end = head.indexOf(10);
  if (end === -1 && head.length < longestFirstLine) return null;
  const line = head.subarray(0, end === -1 ? longestFirstLine : end);
  return createHash('sha256').update(line).digest('hex').slice(0, 32);
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(longestFirstLine);
    const { bytesRead } = await handle.read(buffer, 0, longestFirstLine, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function headOfCompressed(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of contentOf({ path, compressed: true }, 0)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= longestFirstLine) break;
  }
  return Buffer.concat(pieces).subarray(0, longestFirstLine);
}

/** The bytes of a file from an offset on, decompressed. A compressed file that is not whole yet rejects at its end. */
export async function* contentOf(
  { path, compressed }: Pick<LogFile, 'path' | 'compressed'>,
  from: number,
): AsyncGenerator<Buffer> {
  if (!compressed) {
    yield* createReadStream(path, { start: from, highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
    return;
  }
  const gunzip = createGunzip();
  const flow = pipeline(createReadStream(path), gunzip);
  flow.catch(() => undefined); // its reader is told as well
  try {
    let skip = from;
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      if (skip < piece.length) yield skip === 0 ? piece : piece.subarray(skip);
      skip = Math.max(0, skip - piece.length);
    }
  } finally {
    gunzip.destroy();
  }
}
