import { frameMark, readFrame, type Frame } from './frame.js';

/** Bytes from a position on, fewer where the stretch that it lies in ends. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>;

/** How much is read at once: frames are smaller than a read is worth. */
const chunkBytes = 512 * 1024;

/** Reads frames from wherever they lie; what was read last is kept. */
export class FrameReader {
  private chunk: { readonly position: number; readonly bytes: Buffer } | undefined;

  constructor(private readonly read: ReadBytes) {}

  /** Gives up what was kept. */
  forget(): void {
    this.chunk = undefined;
  }

  /** The frame at a position; undefined at the end, and where what is there is no frame. */
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

  /** Where the first whole frame from a position on begins; `end` where there is none before it. */
  async nextFrame(from: number, end: number): Promise<number> {
    for (let position = from; position < end;) {
      const bytes = await this.read(position, Math.min(chunkBytes, end - position));
      for (let found = bytes.indexOf(frameMark); found !== -1; found = bytes.indexOf(frameMark, found + 1))
        if ((await this.frameAt(position + found)) !== undefined) return position + found;
      if (bytes.length < frameMark.length) return end;
      // A mark may begin in the last bytes: they are looked at once more, with what follows.
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
