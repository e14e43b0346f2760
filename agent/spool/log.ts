import { TelltaleError, reasonOf } from '../../runtime/errors.js';
import type { Share } from './budget.js';
import { openSegment, openSegments, segmentPath, type Segment, type SegmentOptions } from './segments.js';

export interface LogOptions extends SegmentOptions {
  /** A longer segment is followed by a new one. */
  readonly segmentBytes: number;
  /** The part of the spool's bytes that this log may use. */
  readonly share: Share;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Puts that wait while another write is under way share the next one, up to this size. */
const groupBytes = 4 * 1024 * 1024;

/** Items in the order of their puts: written at the end, read from anywhere, and released from the start. */
export class Log {
  private readonly queue: Waiting[] = [];
  private working: Promise<void> | undefined;
  /** The last segment's file can contain bytes of a failed write after its length. */
  private dirty = false;

  private constructor(
    private readonly options: LogOptions,
    private readonly segments: Segment[],
    private position: number,
  ) {}

  /** `least` is the lower bound of the log's end: once everything is released, no file tells it any more. */
  static async open(options: LogOptions, least: number): Promise<Log> {
    const segments = await openSegments(options);
    const last = segments.at(-1);
    const end = last === undefined ? least : Math.max(last.base + last.length, least);
    for (const { length } of segments) options.share.count(length);
    return new Log(options, segments, end);
  }

  /** The position of the oldest byte that is still there. */
  get start(): number {
    return this.segments[0]?.base ?? this.position;
  }

  /** Everything before it is durable. */
  get end(): number {
    return this.position;
  }

  /** Resolves once the bytes are durable. Rejects with SPOOL_FULL or SPOOL_BROKEN, and then they are not there. */
  async append(bytes: Buffer): Promise<void> {
    this.options.share.take(bytes.length);
    await this.enqueue(bytes);
  }

  /**
   * The end of the log, once no bytes of a failed write can be read there after a crash. Rejects with SPOOL_BROKEN
   * while those can't be cut off.
   */
  async settle(): Promise<number> {
    await this.working;
    if (this.dirty) await this.enqueue(Buffer.alloc(0));
    return this.position;
  }

  /**
   * At most `length` durable bytes from `position` on, of one segment; `left` is how many that segment has from there.
   */
  async read(position: number, length: number): Promise<{ readonly bytes: Buffer; readonly left: number }> {
    const segment = this.segments.find(
      ({ base, length: size }) => position >= base && position < base + size,
    );
    if (segment === undefined) return { bytes: Buffer.alloc(0), left: 0 };
    const offset = position - segment.base;
    const left = segment.length - offset;
    return { bytes: await segment.file.read(offset, Math.min(length, left)), left };
  }

  /**
   * Where to continue when nothing more can be read at `position`: the end of its segment, or the start of the next.
   */
  beyond(position: number): number {
    const segment = this.segments.find(({ base, length }) => position < base + length);
    if (segment === undefined) return this.position;
    return position < segment.base ? segment.base : segment.base + segment.length;
  }

  /** Nothing before `position` is needed any more: its space is released, segment by segment. */
  async releaseBefore(position: number): Promise<void> {
    for (let first = this.segments[0]; first !== undefined; first = this.segments[0]) {
      const end = first.base + first.length;
      const isLast = this.segments.length === 1;
      if (end > position || (isLast && !this.mayEnd(first))) return;
      this.segments.shift();
      this.options.share.give(first.length);
      await first.file.close();
      await this.options.disk.remove(segmentPath(this.options.folder, first.base));
      // Otherwise a crash could bring back this segment but not the next one: a log with a hole in it.
      await this.options.disk.syncFolder(this.options.folder);
    }
  }

  /** The current segment is only released if that is worth it: a new one costs two more writes. */
  private mayEnd(last: Segment): boolean {
    return this.working === undefined && !this.dirty && last.length >= this.options.segmentBytes / 4;
  }

  async close(): Promise<void> {
    await this.working;
    await Promise.all(this.segments.map(({ file }) => file.close()));
  }

  private enqueue(bytes: Buffer): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.queue.push({ bytes, resolve, reject });
      this.wake();
    });
  }

  private wake(): void {
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      if (this.queue.length > 0) this.wake();
    });
  }

  private async work(): Promise<void> {
    for (let group = this.takeGroup(); group.length > 0; group = this.takeGroup()) {
      const only = group.length === 1 ? group[0]?.bytes : undefined;
      const bytes = only ?? Buffer.concat(group.map((waiting) => waiting.bytes));
      try {
        await this.write(bytes);
        for (const { resolve } of group) resolve();
      } catch (cause) {
        this.options.share.give(bytes.length);
        const details = { folder: this.options.folder, reason: reasonOf(cause) };
        const error = new TelltaleError('SPOOL_BROKEN', details, { cause });
        for (const { reject } of group) reject(error);
      }
    }
  }

  private takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.queue) {
      bytes += waiting.bytes.length;
      if (count > 0 && bytes > groupBytes) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  /** Without bytes it only removes the bytes of a failed write. */
  private async write(bytes: Buffer): Promise<void> {
    const last = this.segments.at(-1);
    if (bytes.length === 0) return this.dirty && last !== undefined ? this.clean(last) : undefined;
    const segment = await this.segmentToWrite();
    try {
      this.dirty = true;
      await segment.file.write(segment.length, bytes);
      await segment.file.sync();
      this.dirty = false;
    } catch (error) {
      await this.clean(segment).catch(() => undefined);
      throw error;
    }
    segment.length += bytes.length;
    this.position += bytes.length;
  }

  /** Cuts off the bytes of a failed write, because nothing may ever follow them. */
  private async clean(segment: Segment): Promise<void> {
    await segment.file.truncate(segment.length);
    await segment.file.sync();
    this.dirty = false;
  }

  private async segmentToWrite(): Promise<Segment> {
    const last = this.segments.at(-1);
    if (last !== undefined && last.base + last.length === this.position) {
      if (this.dirty) await this.clean(last);
      if (last.length < this.options.segmentBytes) return last;
    }
    const { disk, folder } = this.options;
    const file = await openSegment(this.options, this.position);
    await disk.syncFolder(folder);
    const segment = { base: this.position, length: 0, file };
    this.segments.push(segment);
    return segment;
  }
}
