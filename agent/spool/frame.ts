import { crc32 } from 'node:zlib';

/**
 * The files of a spool consist of frames: some items as lines of JSON, and a head that marks the beginning and proves
 * that the frame is complete. The head has a mark that no UTF-8 text contains, the length of the lines, the number of
 * items, and the CRC-32 of these two and the lines; each 4 bytes, little-endian.
 */
export interface Frame {
  readonly items: number;
  /** One JSON object per line, each line with its end. */
  readonly lines: Buffer;
  /** Bytes in the file, including the head. */
  readonly size: number;
}

const headSize = 16;
/** After a broken frame, the next one is found by this mark. */
export const frameMark = Buffer.from([0xff, 0x54, 0x46, 0x02]);
/** Items are gathered up to about this size, because a frame is read as a whole. */
const frameBytes = 256 * 1024;

/** The frames of some items, one after another. */
export function encodeFrames(items: readonly object[]): Buffer {
  const frames: Buffer[] = [];
  let lines: string[] = [];
  let length = 0;
  const endFrame = (): void => {
    if (lines.length > 0) frames.push(frameOf(lines.length, Buffer.from(`${lines.join('\n')}\n`)));
    lines = [];
    length = 0;
  };
  for (const item of items) {
    const line = JSON.stringify(item);
    if (length + line.length > frameBytes) endFrame();
    lines.push(line);
    length += line.length + 1;
  }
  endFrame();
  const only = frames.length === 1 ? frames[0] : undefined;
  return only ?? Buffer.concat(frames);
}

function frameOf(items: number, lines: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(headSize + lines.length);
  frameMark.copy(frame);
  frame.writeUInt32LE(lines.length, 4);
  frame.writeUInt32LE(items, 8);
  lines.copy(frame, headSize);
  frame.writeUInt32LE(checksum(frame, 0, lines), 12);
  return frame;
}

const checksum = (bytes: Buffer, at: number, lines: Buffer): number =>
  crc32(lines, crc32(bytes.subarray(at + 4, at + 12)));

export type FrameReading =
  | { readonly kind: 'frame'; readonly frame: Frame }
  /** This many bytes from the same position are needed to continue. */
  | { readonly kind: 'incomplete'; readonly needs: number }
  | { readonly kind: 'corrupt' };

/** Reads the frame that starts at `at`. */
export function readFrame(bytes: Buffer, at: number): FrameReading {
  if (bytes.length - at < headSize) return { kind: 'incomplete', needs: headSize };
  if (frameMark.compare(bytes, at, at + frameMark.length) !== 0) return { kind: 'corrupt' };
  const length = bytes.readUInt32LE(at + 4);
  const items = bytes.readUInt32LE(at + 8);
  const size = headSize + length;
  // An item has three bytes at least: `{}` and the end of its line.
  if (items === 0 || length < items * 3) return { kind: 'corrupt' };
  if (bytes.length - at < size) return { kind: 'incomplete', needs: size };
  const lines = bytes.subarray(at + headSize, at + size);
  if (checksum(bytes, at, lines) !== bytes.readUInt32LE(at + 12)) return { kind: 'corrupt' };
  return { kind: 'frame', frame: { items, lines, size } };
}

/** The position in the bytes after this number of lines. */
export function endOfLines(lines: Buffer, count: number): number {
  let end = 0;
  for (let left = count; left > 0; left--) {
    const newline = lines.indexOf(0x0a, end);
    if (newline === -1) return lines.length;
    end = newline + 1;
  }
  return end;
}
