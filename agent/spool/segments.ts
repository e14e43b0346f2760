import { basename, join } from 'node:path';
import type { Disk, DiskFile } from './disk.js';
import { FrameReader } from './frame-reader.js';
import { frameMark } from './frame.js';
import { readAround, type ReadableFile } from './read-around.js';

/**
 * A stretch of a dataset's log, in a file of its own that is named after the position of its first byte. Positions
 * count the bytes of everything that was ever put, so they are never used again.
 */
export interface Segment {
  readonly base: number;
  /** Durable bytes; later bytes of the file were never confirmed. */
  length: number;
  readonly file: DiskFile;
}

const name = /^(\d{16})\.segment$/;

export function segmentPath(folder: string, base: number): string {
  return join(folder, `${String(base).padStart(16, '0')}.segment`);
}

export interface SegmentOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly readPauses: readonly number[];
  /** Called with the bytes of an unconfirmed write, which were cut off. */
  readonly onTornTail: (bytes: number) => void;
  /** The newest file is not this agent's: it was renamed. */
  readonly onUnknown: (keptAs: string, bytes: number) => void;
}

export async function openSegment(
  { disk, folder, readPauses }: Pick<SegmentOptions, 'disk' | 'folder' | 'readPauses'>,
  base: number,
): Promise<ReadableFile> {
  return readAround(await disk.open(segmentPath(folder, base)), readPauses);
}

/** Opens the existing segments, oldest first. Only the last one can have a torn tail, which is cut off. */
export async function openSegments(options: SegmentOptions): Promise<Segment[]> {
  const names = await options.disk.list(options.folder);
  const bases = names
    .map((file) => name.exec(file)?.[1])
    .filter((base) => base !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (const [index, base] of bases.entries()) {
    const next = bases[index + 1];
    if (next === undefined) segments.push(await openLast(options, base, names));
    else {
      const file = await openSegment(options, base);
      const size = await file.size();
      const length = Math.min(size, next - base);
      if (length < size) await cut(file, length);
      segments.push({ base, length, file });
    }
  }
  return segments;
}

async function openLast(options: SegmentOptions, base: number, names: readonly string[]): Promise<Segment> {
  const file = await openSegment(options, base);
  const size = await file.size();
  const length = await soundLength(file, size);
  if (length === size) {
    // The segment is whole, but might never have been confirmed: it must be durable before it is relied on.
    if (size > 0) await file.sync();
    return { base, length, file };
  }
  if (length === 0 && !(await mayBeTorn(file, size))) {
    await file.close();
    await keepUnknown(options, base, names, size);
    return { base, length, file: await openSegment(options, base) };
  }
  options.onTornTail(size - length);
  await cut(file, length);
  return { base, length, file };
}

async function cut(file: DiskFile, length: number): Promise<void> {
  await file.truncate(length);
  await file.sync();
}

/** The end of the last whole frame. Broken frames before it stay: only they are lost. */
async function soundLength(file: ReadableFile, size: number): Promise<number> {
  // A damaged head can claim up to 4 GiB: no more is read than there is.
  const frames = new FrameReader((position, length) =>
    file.read(position, Math.max(0, Math.min(length, size - position))),
  );
  let end = 0;
  for (let at = 0; at < size;) {
    const frame = await frames.frameAt(at);
    if (frame === undefined) at = await frames.nextFrame(at + 1, size);
    else end = at += frame.size;
  }
  // It is unknown whether unreadable bytes were confirmed: they stay, because they might become readable.
  return file.unreadableUpTo() > end ? size : end;
}

/** A longer torn write contains whole frames, wherever it is torn. */
const longestTornWrite = 4 * 1024 * 1024;

/** Whether a file without a whole frame can be the first write to it: its first page can be missing. */
async function mayBeTorn(file: DiskFile, size: number): Promise<boolean> {
  if (size > longestTornWrite) return false;
  const start = await file.read(0, Math.min(size, frameMark.length));
  return start.equals(frameMark.subarray(0, start.length)) || start.every((byte) => byte === 0);
}

/** Perhaps a spool in another format, of an older or a newer agent: its content exists nowhere else. */
async function keepUnknown(
  { disk, folder, onUnknown }: SegmentOptions,
  base: number,
  names: readonly string[],
  size: number,
): Promise<void> {
  const path = segmentPath(folder, base);
  let number = 1;
  while (names.includes(basename(`${path}.unknown-${number}`))) number += 1;
  const keptAs = `${path}.unknown-${number}`;
  await disk.rename(path, keptAs);
  await disk.syncFolder(folder);
  onUnknown(keptAs, size);
}
