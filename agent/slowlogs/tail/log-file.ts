import type { Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { behind, decompressed } from './decompressed.js';

/** A file of a slow log as it was found: the one that is written to, or a rotated one. */
export interface LogFile {
  readonly path: string;
  readonly compressed: boolean;
  /** Device and inode: two names of one file have the same. */
  readonly inode: string;
  /** Bytes on disk. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The file at a path; null if there is none. Rejects if it may not be looked at. */
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
 * An open file. Its path can lead to another file meanwhile (it can be rotated at any time), but its content
 * and its identity are of the same file.
 */
export interface OpenLog {
  readonly file: LogFile;
  readonly handle: FileHandle;
}

/** Opens the file at a path; null if there is none. Rejects if it may not be read. */
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
 * The bytes of a file from an offset on, decompressed. For a compressed file that is damaged, or not complete
 * yet, rejects once everything that can be read of it was returned.
 */
export async function* contentOf({ file, handle }: OpenLog, from: number): AsyncGenerator<Buffer> {
  if (file.compressed)
    yield* behind(
      decompressed((at) => bytesOf(handle, at)),
      from,
    );
  else yield* bytesOf(handle, from);
}

/** A stream would close the handle at its end, but a file is read twice. */
async function* bytesOf(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
  const length = 256 * 1024;
  for (let at = from; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
