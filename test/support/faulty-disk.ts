import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../../agent/spool/disk.js';

/** Chooses a number from 0 to `below` - 1; a property test supplies the choices. */
export type Choose = (below: number) => number;

type Change = { readonly position: number; readonly bytes: Buffer } | { readonly truncate: number };

interface Contents {
  durable: Buffer;
  now: Buffer;
  /** Changes since the last sync, in order. */
  pending: Change[];
  /** Pages of 4 KiB that can no longer be read. */
  readonly badPages: Set<number>;
}

const pageBytes = 4096;

/**
 * A disk in memory that can run full, fail at any call, and lose unsynced data. At a crash each change since
 * the last sync is kept, lost, or torn, and so are new and removed names since the folder's last sync.
 */
export class FaultyDisk implements Disk {
  private files = new Map<string, Contents>();
  private durableNames = new Map<string, Contents>();
  /** Percentage of calls that fail. */
  failing = 0;
  full = false;

  constructor(private readonly choose: Choose) {}

  makeFolder(): Promise<void> {
    return Promise.resolve();
  }

  async list(folder: string): Promise<readonly string[]> {
    await this.call();
    return [...this.files.keys()]
      .filter((path) => dirname(path) === folder)
      .map((path) => path.slice(folder.length + 1));
  }

  async open(path: string): Promise<DiskFile> {
    await this.call();
    let contents = this.files.get(path);
    if (contents === undefined) {
      contents = { durable: Buffer.alloc(0), now: Buffer.alloc(0), pending: [], badPages: new Set() };
      this.files.set(path, contents);
    }
    return this.fileOf(contents);
  }

  async remove(path: string): Promise<void> {
    await this.call();
    if (!this.files.delete(path)) throw new Error(`ENOENT: ${path}`);
  }

  async syncFolder(): Promise<void> {
    await this.call();
    this.durableNames = new Map(this.files);
  }

  async rename(path: string, to: string): Promise<void> {
    await this.call();
    const contents = this.files.get(path);
    if (contents === undefined) throw new Error(`ENOENT: ${path}`);
    this.files.delete(path);
    this.files.set(to, contents);
  }

  /** A power failure: keeps only what is on the physical disk. */
  crash(): void {
    for (const contents of new Set([...this.files.values(), ...this.durableNames.values()])) {
      let left = contents.durable;
      for (const change of contents.pending) if (this.choose(3) > 0) left = apply(left, this.torn(change));
      contents.durable = contents.now = left;
      contents.pending = [];
    }
    const names = new Map(this.durableNames);
    for (const [path, contents] of this.files) if (this.choose(2) === 0) names.set(path, contents);
    for (const path of this.durableNames.keys())
      if (!this.files.has(path) && this.choose(2) === 0) names.delete(path);
    this.files = names;
    this.durableNames = new Map(names);
  }

  /** Makes a page of a file unreadable. */
  wear(ofPath: RegExp): boolean {
    const files = [...this.files].filter(([path, { now }]) => ofPath.test(path) && now.length > 0);
    const [, contents] = files[this.choose(Math.max(1, files.length))] ?? [];
    if (contents === undefined) return false;
    contents.badPages.add(this.choose(Math.ceil(contents.now.length / pageBytes)));
    return true;
  }

  /** Flips a bit of a file silently; returns the path, or undefined if there is no such file. */
  rot(ofPath: RegExp): string | undefined {
    const files = [...this.files].filter(([path, { durable }]) => ofPath.test(path) && durable.length > 0);
    const [path, contents] = files[this.choose(Math.max(1, files.length))] ?? [];
    if (contents === undefined) return undefined;
    const at = this.choose(contents.durable.length);
    const mask = 1 << this.choose(8);
    const turned = (bytes: Buffer): Buffer => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(at) ^ mask, at);
      return copy;
    };
    contents.durable = turned(contents.durable);
    if (contents.now.length > at) contents.now = turned(contents.now);
    return path;
  }

  /** Bytes of all files. */
  get used(): number {
    return [...this.files.values()].reduce((sum, { now }) => sum + now.length, 0);
  }

  private torn(change: Change): Change {
    if ('truncate' in change || this.choose(2) === 0) return change;
    return { ...change, bytes: change.bytes.subarray(0, this.choose(change.bytes.length + 1)) };
  }

  private async call(): Promise<void> {
    await Promise.resolve();
    if (this.failing > 0 && this.choose(100) < this.failing) throw new Error('EIO: the disk failed');
  }

  private fileOf(contents: Contents): DiskFile {
    const change = (made: Change): void => {
      contents.now = apply(contents.now, made);
      contents.pending.push(made);
    };
    return {
      size: () => Promise.resolve(contents.now.length),
      read: async (position, length) => {
        await this.call();
        const last = Math.floor((position + length - 1) / pageBytes);
        for (let page = Math.floor(position / pageBytes); page <= last; page++)
          if (contents.badPages.has(page))
            throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
        return Buffer.from(contents.now.subarray(position, position + length));
      },
      write: async (position, bytes) => {
        await Promise.resolve();
        const grows = position + bytes.length > contents.now.length;
        const fails = this.failing > 0 && this.choose(100) < this.failing;
        if (!fails && !(this.full && grows)) {
          change({ position, bytes: Buffer.from(bytes) });
          return;
        }
        const room = this.full && grows ? Math.max(0, contents.now.length - position) : bytes.length;
        const part = bytes.subarray(0, Math.min(room, this.choose(bytes.length + 1)));
        if (part.length > 0) change({ position, bytes: Buffer.from(part) });
        throw new Error(this.full ? 'ENOSPC: no space left on device' : 'EIO: the disk failed');
      },
      truncate: async (length) => {
        await this.call();
        change({ truncate: length });
      },
      sync: async () => {
        await this.call();
        contents.durable = contents.now;
        contents.pending = [];
      },
      close: () => Promise.resolve(),
    };
  }
}

function apply(bytes: Buffer, change: Change): Buffer {
  if ('truncate' in change) {
    const cut = Buffer.alloc(change.truncate);
    bytes.copy(cut);
    return cut;
  }
  const longer = Buffer.alloc(Math.max(bytes.length, change.position + change.bytes.length));
  bytes.copy(longer);
  change.bytes.copy(longer, change.position);
  return longer;
}
