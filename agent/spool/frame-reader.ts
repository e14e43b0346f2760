import { frameMark, readFrame, type Frame } from './frame.js';

/** Bytes from a position on, fewer if their stretch ends earlier. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>;

/** The size of a read: frames are too small to be read one by one. */
const chunkBytes = 512 * 1024;

/** Reads frames from any position; keeps what was read last. */
export class FrameReader {
  private chunk: { readonly position: number; readonly bytes: Buffer } | undefined;

  constructor(private readonly read: ReadBytes) {}

  /** Drops what was kept. */
  forget(): void {
    this.chunk = undefined;
  }

  /** The frame at a position; undefined at the end, and if there is no frame. */
  async frameAt(position: number): Promise<Frame | undefined> {
    let { bytes, at } = await this.bytesAt(position, chunkBytes);
    let reading = readFrame(bytes, at);
    while (reading.kind === 'incomplete') {
      this.forget();
      ({ bytes, at } = await this.bytesAt(position, Math.max(chunkBytes, reading.needs)));
      if (bytes.length < reading.needs) return undefined;
      reading = readFrame(bytes, at);
    }
    return reading.kind === 'frame' ? reading.frame : undefined;
  }

  /** The beginning of the first whole frame from a position on; `end` if there is none before it. */
  async nextFrame(from: number, end: number): Promise<number> {
    for (let position = from; position < end;) {
      const bytes = await this.read(position, Math.min(chunkBytes, end - position));
      for (let found = bytes.indexOf(frameMark); found !== -1; found = bytes.indexOf(frameMark, found + 1))
        if ((await this.frameAt(position + found)) !== undefined) return position + found;
      if (bytes.length < frameMark.length) return end;
      // A mark can begin in the last bytes: they are searched again, with what follows.
      position += bytes.length - (frameMark.length - 1);
    }
    return end;
  }

  private async bytesAt(position: number, length: number): Promise<{ bytes: Buffer; at: number }> {
    const known = this.chunk;
    const at = known === undefined ? -1 : position - known.position;
    if (known !== undefined && at >= 0 && at < known.bytes.length) return { bytes: known.bytes, at };
    const bytes = await this.read(position, length);
    this.chunk = { position, bytes };
    return { bytes, at: 0 };
  }
}
