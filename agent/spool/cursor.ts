import { crc32 } from 'node:zlib';
import type { DiskFile } from './disk.js';

/** A position between two items: `skip` items into the frame that starts at `position`. */
export interface ItemPosition {
  readonly position: number;
  readonly skip: number;
}

/**
 * How far a dataset has been sent. It is written before the first send of a batch, so that every re-send is
 * the same batch.
 */
export interface Cursor {
  /** With the sequence, the batch's id; a new spool starts a new count. */
  readonly spool: string;
  /** The sequence of the last batch that was cut. */
  readonly sequence: number;
  /** Everything before it has arrived. */
  readonly from: ItemPosition;
  /** The end of the last batch that was cut. */
  readonly to: ItemPosition;
}

/** Has room for a cursor with positions of any length. */
const slotSize = 512;
const slotHead = 8;

/**
 * Two slots in a file of fixed size, written alternately. A torn write leaves the other slot intact. No write
 * needs new space, so a full disk can still be emptied.
 */
export class CursorFile {
  private generation = 0;

  private constructor(private readonly file: DiskFile) {}

  static async open(
    file: DiskFile,
  ): Promise<{ readonly file: CursorFile; readonly found: Cursor | undefined }> {
    const bytes = await file.read(0, 2 * slotSize);
    const slots = [bytes.subarray(0, slotSize), bytes.subarray(slotSize)].map(readSlot);
    const [newest] = slots.filter((slot) => slot !== undefined).sort((a, b) => b.generation - a.generation);
    const cursorFile = new CursorFile(file);
    cursorFile.generation = newest?.generation ?? 0;
    if (bytes.length < 2 * slotSize) {
      await file.write(bytes.length, Buffer.alloc(2 * slotSize - bytes.length));
      await file.sync();
    }
    return { file: cursorFile, found: newest?.cursor };
  }

  /** Resolves once the cursor is durable. */
  async write(cursor: Cursor): Promise<void> {
    const generation = this.generation + 1;
    await this.file.write((generation % 2) * slotSize, slotOf(generation, cursor));
    await this.file.sync();
    this.generation = generation;
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

function slotOf(generation: number, cursor: Cursor): Buffer {
  const text = Buffer.from(JSON.stringify({ generation, cursor }));
  if (text.length > slotSize - slotHead) throw new RangeError('the cursor does not fit its slot');
  const slot = Buffer.alloc(slotSize);
  slot.writeUInt32LE(text.length, 0);
  slot.writeUInt32LE(crc32(text), 4);
  text.copy(slot, slotHead);
  return slot;
}

function readSlot(slot: Buffer): { readonly generation: number; readonly cursor: Cursor } | undefined {
  if (slot.length < slotSize) return undefined;
  const length = slot.readUInt32LE(0);
  if (length === 0 || length > slotSize - slotHead) return undefined;
  const text = slot.subarray(slotHead, slotHead + length);
  if (crc32(text) !== slot.readUInt32LE(4)) return undefined;
  return JSON.parse(text.toString()) as { generation: number; cursor: Cursor };
}
