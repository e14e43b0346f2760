import type { Dataset } from '../part.js';
import type { Cursor, CursorFile, Place } from './cursor.js';
import { endOfLines, readFrame, type Frame } from './frame.js';
import type { Log } from './log.js';

/** Some items that are sent together, under an id that stands for these very items from the first try to the last. */
export interface Batch {
  readonly dataset: Dataset;
  /** `<spool>/<sequence>`. */
  readonly id: string;
  readonly items: number;
  /** One JSON object a line. */
  readonly body: Buffer;
}

export interface BatchLimits {
  readonly bytes: number;
  readonly items: number;
}

export interface SenderOptions {
  readonly dataset: Dataset;
  readonly log: Log;
  readonly cursorFile: CursorFile;
  readonly cursor: Cursor;
  readonly newSpoolId: () => string;
  /** Bytes that can't be read any more, as the disk has lost them. */
  readonly onLoss: (bytes: number) => void;
}

interface Cut {
  readonly parts: readonly Buffer[];
  readonly items: number;
  readonly to: Place;
}

/** Reads a dataset's log in batches, one after the other; the next one comes after the last one is acknowledged. */
export class Sender {
  private cursor: Cursor;
  /** Acknowledging writes nothing, so it may lag behind. */
  private onDisk: Cursor;
  private outstanding: Batch | undefined;
  /** What was read last: frames are smaller than a read is worth. */
  private chunk: { readonly position: number; readonly bytes: Buffer } | undefined;

  constructor(private readonly options: SenderOptions) {
    this.cursor = options.cursor;
    this.onDisk = options.cursor;
  }

  /** Bytes in the log that have not arrived. */
  get unsentBytes(): number {
    return this.options.log.end - this.cursor.from.position;
  }

  /**
   * The batch to send: the same one until it is acknowledged, also after a restart. Undefined where there is nothing
   * to send. A new batch is cut on disk before it is given out.
   */
  async next(limits: BatchLimits): Promise<Batch | undefined> {
    this.outstanding ??= (await this.cutBefore()) ?? (await this.cutAnew(limits));
    if (this.outstanding === undefined) this.chunk = undefined;
    return this.outstanding;
  }

  /** The batch has arrived, or was set aside. */
  async acknowledge(): Promise<void> {
    this.cursor = { ...this.cursor, from: this.cursor.to };
    this.outstanding = undefined;
    await this.options.log.giveUpBefore(this.cursor.from.position);
  }

  /** Before an orderly end: what was acknowledged is not sent again, not even to another workspace whose key comes next. */
  async rest(): Promise<void> {
    if (this.outstanding !== undefined || samePlace(this.cursor.from, this.onDisk.from)) return;
    await this.writeCursor(this.cursor);
  }

  /** The batch is too big for the server: it is cut smaller, under the same id, as nothing of it was taken. */
  async shrink(items: number): Promise<void> {
    const { spool, sequence, from } = this.cursor;
    this.outstanding = await this.cut({ spool, sequence }, from, { bytes: Infinity, items });
  }

  /** Another spool uses this one's id (its folder was copied): the same items go out under a new one. */
  async renew(): Promise<void> {
    const { from, to } = this.cursor;
    const cursor = { spool: this.options.newSpoolId(), sequence: 1, from, to };
    await this.writeCursor(cursor);
    if (this.outstanding !== undefined)
      this.outstanding = { ...this.outstanding, id: `${cursor.spool}/${cursor.sequence}` };
  }

  /** The batch that was cut before a restart and may have been sent. */
  private async cutBefore(): Promise<Batch | undefined> {
    const { spool, sequence, from, to } = this.cursor;
    if (samePlace(from, to)) return undefined;
    const cut = await this.read(from, { bytes: Infinity, items: Infinity }, to);
    if (samePlace(cut.to, to)) return this.batchOf({ spool, sequence }, cut);
    // The disk has lost some of it: other items must not go under an id that may be taken.
    await this.renew();
    this.cursor = { ...this.cursor, sequence: 0, to: from };
    return undefined;
  }

  private async cutAnew(limits: BatchLimits): Promise<Batch | undefined> {
    const { spool, sequence, from } = this.cursor;
    return this.cut({ spool, sequence: sequence + 1 }, from, limits);
  }

  private async cut(
    id: Pick<Cursor, 'spool' | 'sequence'>,
    from: Place,
    limits: BatchLimits,
  ): Promise<Batch | undefined> {
    const cut = await this.read(from, limits);
    if (cut.items === 0) {
      // Nothing but what the disk has lost: not to be looked at again.
      this.cursor = { ...this.cursor, from: cut.to, to: cut.to };
      return undefined;
    }
    const cursor = { ...id, from, to: cut.to };
    await this.writeCursor(cursor);
    return this.batchOf(id, cut);
  }

  private async writeCursor(cursor: Cursor): Promise<void> {
    await this.options.cursorFile.write(cursor);
    this.cursor = cursor;
    this.onDisk = cursor;
  }

  private batchOf({ spool, sequence }: Pick<Cursor, 'spool' | 'sequence'>, cut: Cut): Batch {
    const { dataset } = this.options;
    const body = cut.parts.length === 1 ? cut.parts[0] : undefined;
    return { dataset, id: `${spool}/${sequence}`, items: cut.items, body: body ?? Buffer.concat(cut.parts) };
  }

  /** Reads items from a place on, at least one where there is any; up to `until` where given. */
  private async read(from: Place, limits: BatchLimits, until?: Place): Promise<Cut> {
    const { log } = this.options;
    const parts: Buffer[] = [];
    let items = 0;
    let bytes = 0;
    let place = from;
    while (place.position < log.end && !(until !== undefined && isBeyond(place, until))) {
      const frame = await this.frameAt(place.position);
      if (frame === undefined) {
        // Everything before the end was durable: what can't be read there is lost.
        const beyond = log.beyond(place.position);
        this.options.onLoss(beyond - place.position);
        place = { position: beyond, skip: 0 };
        continue;
      }
      const last = until?.position === place.position ? until.skip : frame.items;
      const skip = Math.min(last, place.skip + limits.items - items);
      const lines = linesOf(frame, place.skip, skip);
      if (lines.length === 0 || (items > 0 && bytes + lines.length > limits.bytes)) break;
      parts.push(lines);
      bytes += lines.length;
      items += skip - place.skip;
      place =
        skip === frame.items
          ? { position: place.position + frame.size, skip: 0 }
          : { position: place.position, skip };
    }
    return { parts, items, to: place };
  }

  /** The frame at a position; undefined at the end, and where what is there is no frame. */
  private async frameAt(position: number): Promise<Frame | undefined> {
    let { bytes, at } = await this.bytesAt(position, chunkBytes);
    let reading = readFrame(bytes, at);
    while (reading.kind === 'incomplete') {
      this.chunk = undefined;
      ({ bytes, at } = await this.bytesAt(position, Math.max(chunkBytes, reading.needs)));
      if (bytes.length < reading.needs) return undefined;
      reading = readFrame(bytes, at);
    }
    return reading.kind === 'frame' ? reading.frame : undefined;
  }

  private async bytesAt(position: number, length: number): Promise<{ bytes: Buffer; at: number }> {
    const known = this.chunk;
    const at = known === undefined ? -1 : position - known.position;
    if (known !== undefined && at >= 0 && at < known.bytes.length) return { bytes: known.bytes, at };
    const { bytes } = await this.options.log.read(position, length);
    this.chunk = { position, bytes };
    return { bytes, at: 0 };
  }
}

/** How much is read of a file at once. */
const chunkBytes = 512 * 1024;

/** The lines of a frame from one number to another. */
function linesOf({ lines, items }: Frame, from: number, to: number): Buffer {
  const start = endOfLines(lines, from);
  return lines.subarray(
    start,
    to >= items ? lines.length : start + endOfLines(lines.subarray(start), to - from),
  );
}

const isBeyond = (one: Place, other: Place): boolean =>
  one.position > other.position || (one.position === other.position && one.skip >= other.skip);

const samePlace = (one: Place, other: Place): boolean =>
  one.position === other.position && one.skip === other.skip;
