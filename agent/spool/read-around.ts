import { setTimeout as sleep } from 'node:timers/promises';
import type { DiskFile } from './disk.js';

/** A part of a file that a disk can't read is read page by page: at least a page of it is lost. */
const pageBytes = 4096;

/** Pauses in milliseconds before a failed read is tried again: a network disk might come back. */
export const standardReadPauses: readonly number[] = [100, 400, 1_500];

export interface ReadableFile extends DiskFile {
  /** The end of the last page that could not be read; 0 if there was none. */
  readonly unreadableUpTo: () => number;
}

/**
 * Reads unreadable pages (EIO) of a file as zeros, after some tries. Zeros fit no frame's checksum, so the
 * pages are lost like any other damage, but the pages around them are not. Reads must not go beyond the
 * file's end.
 */
export function readAround(file: DiskFile, pauses: readonly number[]): ReadableFile {
  let unreadableUpTo = 0;

  async function readPages(position: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let at = position; at < position + length;) {
      const next = Math.min(position + length, at - (at % pageBytes) + pageBytes);
      const piece = await readOrNothing(file, at, next - at);
      if (piece === undefined) unreadableUpTo = Math.max(unreadableUpTo, next);
      pieces.push(piece ?? Buffer.alloc(next - at));
      at = next;
    }
    return Buffer.concat(pieces);
  }

  return {
    ...file,
    unreadableUpTo: () => unreadableUpTo,
    async read(position, length) {
      for (const pause of pauses) {
        const bytes = await readOrNothing(file, position, length);
        if (bytes !== undefined) return bytes;
        await sleep(pause);
      }
      return readPages(position, length);
    },
  };
}

/** Undefined if the disk can't read it. */
async function readOrNothing(file: DiskFile, position: number, length: number): Promise<Buffer | undefined> {
  try {
    return await file.read(position, length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
    return undefined;
  }
}
