import type { Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
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
    return found.isFile() ? logFile(path, found) : null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function logFile(path: string, { dev, ino, size, mtimeMs }: Stats): LogFile {
  return { path, compressed: path.endsWith('.gz'), place: `${dev}:${ino}`, size, changedAt: mtimeMs };
}

export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * A file that is open: whatever its path leads to meanwhile (it may be rotated at any moment), what is read of it and
 * what it is known by are of one file.
 */
export interface OpenLog {
  readonly file: LogFile;
  readonly handle: FileHandle;
}

/** Opens what a path leads to now; null where it is gone. Rejects where it may not be read. */
export async function openLog(path: string): Promise<OpenLog | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
  return { file: logFile(path, await handle.stat()), handle };
}

/** The bytes of a file from an offset on, decompressed. A compressed file that is not whole yet rejects at its end. */
export async function* contentOf({ file, handle }: OpenLog, from: number): AsyncGenerator<Buffer> {
  if (!file.compressed) {
    yield* bytesOf(handle, from);
    return;
  }
  const gunzip = createGunzip();
  const flow = pipeline(bytesOf(handle, 0), gunzip);
  flow.catch(() => undefined); // its reader is told as well
  try {
    let skip = from;
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      if (skip < piece.length) yield skip === 0 ? piece : piece.subarray(skip);
      skip = Math.max(0, skip - piece.length);
    }
  } finally {
    gunzip.destroy();
    await flow.catch(() => undefined); // its read under way must not meet a closed file
  }
}

const chunkBytes = 256 * 1024;

/** A stream would close the handle with itself, and a file is read twice. */
async function* bytesOf(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
  for (let at = from; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
