import { constants, type Dirent } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';

/** The operations of a file system that a spool needs: passed in, so that tests can make them fail at any time. */
export interface Disk {
  /** Makes the folder, and its missing parents; resolves once they are durable. */
  makeFolder(path: string): Promise<void>;
  /** Names of the files in a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Opens a file for reading and writing; creates it if it is missing. */
  open(path: string): Promise<DiskFile>;
  remove(path: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  /** Makes creations and removals in the folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface DiskFile {
  size(): Promise<number>;
  /** Returns fewer bytes if the file ends earlier. */
  read(position: number, length: number): Promise<Buffer>;
  /** Writes all bytes, or rejects; it is then unknown what was written. */
  write(position: number, bytes: Buffer): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Resolves once everything written is durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const realDisk: Disk = {
  async makeFolder(path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    const above = dirname(resolve(first));
    for (let made = resolve(path); made !== above; made = dirname(made)) await syncFolder(dirname(made));
  },
  async list(folder) {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  },
  async open(path) {
    return realFile(await open(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  },
  remove: (path) => unlink(path),
  rename,
  syncFolder,
};

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // there a folder can't be opened, and its entries are journalled
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function realFile(handle: FileHandle): DiskFile {
  return {
    size: async () => (await handle.stat()).size,
    async read(position, length) {
      const buffer = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    async write(position, bytes) {
      for (let written = 0; written < bytes.length;)
        written += (await handle.write(bytes, written, bytes.length - written, position + written))
          .bytesWritten;
    },
    truncate: (length) => handle.truncate(length),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}
