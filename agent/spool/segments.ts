import { join } from 'node:path';
import type { Disk, DiskFile } from './disk.js';
import { FrameReader } from './frame-reader.js';

/**
 * A stretch of a dataset's log, in a file of its own that is named after the position of its first byte. Positions
 * count the bytes of all that was ever put, so they never come again.
 */
export interface Segment {
  readonly base: number;
  /** Durable bytes; what the file holds beyond them was never confirmed. */
  length: number;
  readonly file: DiskFile;
}

const name = /^(\d{16})\.segment$/;

export function segmentPath(folder: string, base: number): string {
  return join(folder, `${String(base).padStart(16, '0')}.segment`);
}

/** Opens what is there, oldest first. Only the last segment can have a torn tail, and that is cut off. */
export async function openSegments(
  disk: Disk,
  folder: string,
  onTornTail: (bytes: number) => void,
): Promise<Segment[]> {
  const bases = (await disk.list(folder))
    .map((file) => name.exec(file)?.[1])
    .filter((base) => base !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (const [index, base] of bases.entries()) {
    const file = await disk.open(segmentPath(folder, base));
    const size = await file.size();
    const next = bases[index + 1];
    const length = next === undefined ? await soundLength(file, size) : Math.min(size, next - base);
    if (length < size) {
      if (next === undefined) onTornTail(size - length);
      await file.truncate(length);
      await file.sync();
    }
    segments.push({ base, length, file });
  }
  return segments;
}

/** Where the last whole frame ends. What is broken before it stays: it costs nothing but itself. */
async function soundLength(file: DiskFile, size: number): Promise<number> {
  // A damaged head may claim up to 4 GiB: never more is asked for than there is.
  const frames = new FrameReader((position, length) =>
    file.read(position, Math.max(0, Math.min(length, size - position))),
  );
  let end = 0;
  for (let at = 0; at < size;) {
    const frame = await frames.frameAt(at);
    if (frame === undefined) at = await frames.nextFrame(at + 1, size);
    else end = at += frame.size;
  }
  return end;
}
