import type { Dataset } from '../component.js';
import type { Cursor, CursorFile, ItemPosition } from './cursor.js';
import { FrameReader } from './frame-reader.js';
import { endOfLines, type Frame } from './frame.js';
import type { Log } from './log.js';

/** Items that are sent together, under an id that means exactly these items, from first try to last. */
export interface Batch {
  readonly dataset: Dataset;
  /** `<spool>/<sequence>`. */
  readonly id: string;
  readonly items: number;
  /** One JSON object per line. */
  readonly body: Buffer;
  /** The disk has lost some of it since it was cut: it is unknown whether all of it has arrived before. */
  readonly damaged: boolean;
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
  /** Called with the number of bytes that the disk has lost. */
  readonly onLoss: (bytes: number) => void;
}

interface Cut {
  readonly parts: readonly Buffer[];
  readonly items: number;
  readonly to: ItemPosition;
  readonly damaged: boolean;
}

/** Reads a dataset's log in batches, one after another; the next one follows once the last one is acknowledged. */
export class Sender {
  private cursor: Cursor;
  /** An acknowledgement writes nothing, so this can lag behind. */
  private onDisk: Cursor;
  private outstanding: Batch | undefined;
  private readonly frames: FrameReader;
  /** Losses before this position were reported. */
  private lostUpTo = 0;
  private lost = 0;

  constructor(private readonly options: SenderOptions) {
    this.frames = new FrameReader(
      async (position, length) => (await options.log.read(position, length)).bytes,
    );
    this.cursor = options.cursor;
    this.onDisk = options.cursor;
  }

  /** Bytes in the log that have not arrived. */
  get unsentBytes(): number {
    return this.options.log.end - this.cursor.from.position;
  }

  /** Positions in the log: everything before `from` has arrived, and everything that was put is before `end`. */
  get span(): { readonly from: number; readonly end: number } {
    return { from: this.cursor.from.position, end: this.options.log.end };
  }

  /** Bytes that the disk has lost, as far as this process has read. */
  get lostBytes(): number {
    return this.lost;
  }

  /**
   * The batch to send: the same one until it is acknowledged, even after a restart. Undefined if there is
   * nothing to send. A new batch is recorded on disk before it is returned.
   */
  async next(limits: BatchLimits): Promise<Batch | undefined> {
    this.outstanding ??= (await this.cutBefore()) ?? (await this.cutNew(limits));
    if (this.outstanding === undefined) this.frames.forget();
    return this.outstanding;
  }

  /** The batch has arrived, now or before, or was quarantined. */
  async acknowledge(): Promise<void> {
    this.cursor = { ...this.cursor, from: this.cursor.to };
    this.outstanding = undefined;
    await this.options.log.releaseBefore(this.cursor.from.position);
  }

  /**
   * The same, and durable: for a batch that must not be repeated, because its refused items would be
   * quarantined twice.
   */
  async settle(): Promise<void> {
    const { to } = this.cursor;
    this.outstanding = undefined;
    this.cursor = { ...this.cursor, from: to };
    await this.writeCursor(this.cursor);
    await this.options.log.releaseBefore(to.position);
  }

  /**
   * Before an orderly end: makes sure that acknowledged items are not sent again, in particular not to
   * another workspace whose key comes next.
   */
  async rest(): Promise<void> {
    if (this.outstanding !== undefined || samePosition(this.cursor.from, this.onDisk.from)) return;
    await this.writeCursor(this.cursor);
  }

  /** The batch is too large for the server. It is cut smaller, under the same id: none of it was taken. */
  async shrink(items: number): Promise<void> {
    const { spool, sequence, from } = this.cursor;
    this.outstanding = await this.cut({ spool, sequence }, from, { bytes: Infinity, items });
  }

  /** Another spool uses this one's id (its folder was copied): the same items are sent under a new one. */
  async renew(): Promise<void> {
    const { from, to } = this.cursor;
    const cursor = { spool: this.options.newSpoolId(), sequence: 1, from, to };
    await this.writeCursor(cursor);
    if (this.outstanding !== undefined)
      this.outstanding = { ...this.outstanding, id: `${cursor.spool}/${cursor.sequence}` };
  }

  /** The batch that was cut before a restart and might have been sent. */
  private async cutBefore(): Promise<Batch | undefined> {
    const { spool, sequence, from, to } = this.cursor;
    if (samePosition(from, to)) return undefined;
    const cut = await this.read(from, { bytes: Infinity, items: Infinity }, to);
    this.cursor = { ...this.cursor, from: cut.items === 0 ? cut.to : from, to: cut.to };
    return cut.items === 0 ? undefined : this.batchOf({ spool, sequence }, cut);
  }

  private async cutNew(limits: BatchLimits): Promise<Batch | undefined> {
    const { spool, sequence, from } = this.cursor;
    return this.cut({ spool, sequence: sequence + 1 }, from, limits);
  }

  private async cut(
    id: Pick<Cursor, 'spool' | 'sequence'>,
    from: ItemPosition,
    limits: BatchLimits,
  ): Promise<Batch | undefined> {
    const cut = await this.read(from, limits);
    if (cut.items === 0) {
      // Only lost bytes, which are not to be read again.
      this.cursor = { ...this.cursor, from: cut.to, to: cut.to };
      return undefined;
    }
    const cursor = { ...id, from, to: cut.to };
    await this.writeCursor(cursor);
    return this.batchOf(id, { ...cut, damaged: this.outstanding?.damaged ?? false });
  }

  private async writeCursor(cursor: Cursor): Promise<void> {
    await this.options.cursorFile.write(cursor);
    this.cursor = cursor;
    this.onDisk = cursor;
  }

  private batchOf({ spool, sequence }: Pick<Cursor, 'spool' | 'sequence'>, cut: Cut): Batch {
    const { dataset } = this.options;
    const body = cut.parts.length === 1 ? cut.parts[0] : undefined;
    return {
      dataset,
      id: `${spool}/${sequence}`,
      items: cut.items,
      body: body ?? Buffer.concat(cut.parts),
      damaged: cut.damaged,
    };
  }

  /** Reads items from a position on, at least one if there is any; up to `until` if given. */
  private async read(from: ItemPosition, limits: BatchLimits, until?: ItemPosition): Promise<Cut> {
    const { log } = this.options;
    const parts: Buffer[] = [];
    let items = 0;
    let bytes = 0;
    let reached = from;
    let damaged = false;
    while (reached.position < log.end && !(until !== undefined && isBeyond(reached, until))) {
      const frame = await this.frames.frameAt(reached.position);
      if (frame === undefined) {
        reached = { position: await this.passOver(reached.position), skip: 0 };
        damaged = true;
        continue;
      }
      const last = until?.position === reached.position ? until.skip : frame.items;
      const skip = Math.min(last, reached.skip + limits.items - items);
      const lines = linesOf(frame, reached.skip, skip);
      if (lines.length === 0 || (items > 0 && bytes + lines.length > limits.bytes)) break;
      parts.push(lines);
      bytes += lines.length;
      items += skip - reached.skip;
      reached =
        skip === frame.items
          ? { position: reached.position + frame.size, skip: 0 }
          : { position: reached.position, skip };
    }
    damaged ||= until !== undefined && !samePosition(reached, until);
    return { parts, items, to: reached, damaged };
  }

  /**
   * Where to continue after a frame that can't be read. It is lost, because everything before the log's end
   * was durable.
   */
  private async passOver(position: number): Promise<number> {
    const next = await this.frames.nextFrame(position + 1, this.options.log.beyond(position));
    const bytes = next - Math.max(position, this.lostUpTo);
    if (bytes > 0) {
      this.lostUpTo = next;
      this.lost += bytes;
      this.options.onLoss(bytes);
    }
    return next;
  }
}

/** The lines of a frame from one number to another. */
function linesOf({ lines, items }: Frame, from: number, to: number): Buffer {
  const start = endOfLines(lines, from);
  return lines.subarray(
    start,
    to >= items ? lines.length : start + endOfLines(lines.subarray(start), to - from),
  );
}

const isBeyond = (one: ItemPosition, other: ItemPosition): boolean =>
  one.position > other.position || (one.position === other.position && one.skip >= other.skip);

const samePosition = (one: ItemPosition, other: ItemPosition): boolean =>
  one.position === other.position && one.skip === other.skip;
