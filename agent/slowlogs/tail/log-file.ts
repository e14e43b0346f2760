import type { Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { behind, decompressed } from './decompressed.js';

/** A file of a slow log as it was found: the one that is written to, or one that was rotated. */
export interface LogFile {
  readonly path: string;
  readonly compressed: boolean;
  /** Device and inode: two names of one file have the same. */
  readonly inode: string;
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
  return { path, compressed: path.endsWith('.gz'), inode: `${dev}:${ino}`, size, changedAt: mtimeMs };
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

/**
 * The bytes of a file from an offset on, decompressed. A compressed file that is damaged, or not whole yet, rejects once
 * all that can be read of it was given.
 */
export async function* contentOf({ file, handle }: OpenLog, from: number): AsyncGenerator<Buffer> {
  if (file.compressed)
    yield* behind(
      decompressed((at) => bytesOf(handle, at)),
      from,
    );
  else yield* bytesOf(handle, from);
}

/** A stream would close the handle with itself, and a file is read twice. */
async function* bytesOf(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
  const length = 256 * 1024;
  for (let at = from; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
