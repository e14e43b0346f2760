import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { reasonOf } from '../../errors.js';
import type { Logger } from '../../logging.js';
import { bootId } from '../../process/process-identity.js';
import type { Checkpoint } from './view-target.js';

/**
 * A local key-value store whose data and checkpoint change in one transaction. All of it can be read again from Kafka,
 * so a store of another format, or one that can't be opened, is deleted.
 */
export interface ViewStore {
  checkpoint(): Checkpoint | undefined;
  /** The bytes are valid only until the next read, which overwrites them: use or copy them at once. */
  get(key: string): Buffer | undefined;
  /** Runs `change` in a write transaction; resolves once the change survives a kill of the process. */
  write(change: (writer: StoreWriter) => void): Promise<void>;
  clear(): Promise<void>;
  /** Keys of the ordered index below `before`, the smallest first. */
  indexed(before: string, limit: number): string[];
  close(): Promise<void>;
}

export interface StoreWriter {
  /** As `get` of the store. */
  get(key: string): Buffer | undefined;
  put(key: string, value: Buffer): void;
  remove(key: string): void;
  putIndex(key: string): void;
  removeIndex(key: string): void;
  saveCheckpoint(checkpoint: Checkpoint): void;
}

interface ViewStoreOptions {
  readonly folder: string;
  /** Stored with the data: a store with another format is deleted. */
  readonly format: string;
  readonly logger: Logger;
}

const nothing = Buffer.alloc(0);
const gibibyte = 1024 ** 3;

export function openViewStore(options: ViewStoreOptions): ViewStore {
  // A damaged store can crash the process in native code. This mark tells the next start that it did.
  const mark = `${options.folder}.opening`;
  if (existsSync(mark) || isDamaged(options.folder)) {
    options.logger.warn(
      { event: 'view-store-damaged', folder: options.folder },
      'the store is damaged; rebuilding it',
    );
    rmSync(options.folder, { recursive: true, force: true });
  }
  mkdirSync(options.folder, { recursive: true });
  writeFileSync(mark, '');
  const store = openOrBuild(options);
  rmSync(mark, { force: true });
  return store;
}

/** Where LMDB's first page has its magic number. */
const magic = { at: 24, value: 0xbeefc0de } as const;

function isDamaged(folder: string): boolean {
  const file = join(folder, 'data.mdb');
  if (!existsSync(file)) return false;
  const start = Buffer.alloc(magic.at + 4);
  const descriptor = openSync(file, 'r');
  try {
    return readSync(descriptor, start) < start.length || start.readUInt32LE(magic.at) !== magic.value;
  } finally {
    closeSync(descriptor);
  }
}

function openOrBuild(options: ViewStoreOptions): ViewStore {
  try {
    const store = openAt(options);
    if (store !== undefined) return store;
    options.logger.info(
      { event: 'view-store-outdated', folder: options.folder },
      'the store has another format, or is from before a crash of this machine; rebuilding it',
    );
  } catch (error) {
    options.logger.warn(
      { event: 'view-store-not-open', folder: options.folder, reason: reasonOf(error) },
      'the store cannot be opened; rebuilding it',
    );
  }
  rmSync(options.folder, { recursive: true, force: true });
  const store = openAt(options);
  if (store === undefined) throw new Error(`a new store in ${options.folder} does not have its own format`);
  return store;
}

function flush(folder: string): void {
  const descriptor = openSync(join(folder, 'data.mdb'), 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * UTF-8, which for keys like ours gives the same bytes as LMDB's own encoding: entries written with that one
 * are found too.
 */
const keyEncoder = {
  writeKey: (key: string, target: Buffer, start: number): number => start + target.write(key, start),
  readKey: (source: Buffer, start: number, end: number): string => source.toString('utf8', start, end),
};
/** LMDB's types lack the encoder. */
const entryOptions = { encoding: 'binary', keyEncoder } as const;

/** Undefined if the store has another format, or the machine went down before it was flushed to disk. */
function openAt({ folder, format }: ViewStoreOptions): ViewStore | undefined {
  const root: RootDatabase<Buffer, string> = open({
    path: folder,
    encoding: 'binary',
    maxDbs: 4,
    // What a killed process wrote is in the system's cache. Only a crash of the machine can lose it: then the
    // store is rebuilt.
    noSync: true,
    // Address space only. A map that grows is remapped each time, and its pages are counted again.
    mapSize: 256 * gibibyte,
  });
  const entries: Database<Buffer, string> = root.openDB('entries', entryOptions);
  const index: Database<Buffer, string> = root.openDB('index', { encoding: 'binary' });
  const about: Database<unknown, string> = root.openDB('about', { encoding: 'json' });
  const found = about.get('format');
  if (found === undefined) about.putSync('format', format);
  else if (found !== format) {
    void root.close();
    return undefined;
  }
  const boot = bootId() ?? randomUUID(); // without it, every start counts as another boot
  if (
    about.get('openedIn') !== undefined &&
    about.get('openedIn') !== boot &&
    about.get('flushed') !== true
  ) {
    void root.close();
    return undefined;
  }
  about.putSync('openedIn', boot);
  about.putSync('flushed', false);
  const writer: StoreWriter = {
    get: (key) => entries.getBinaryFast(key),
    put: (key, value) => void entries.put(key, value),
    remove: (key) => void entries.remove(key),
    putIndex: (key) => void index.put(key, nothing),
    removeIndex: (key) => void index.remove(key),
    saveCheckpoint: (checkpoint) => void about.put('checkpoint', checkpoint),
  };
  return {
    checkpoint: () => about.get('checkpoint') as Checkpoint | undefined,
    get: (key) => entries.getBinaryFast(key),
    write: (change) => root.transaction(() => change(writer)),
    async clear() {
      await root.transaction(() => {
        entries.clearSync();
        index.clearSync();
        about.removeSync('checkpoint');
      });
    },
    indexed: (before, limit) => [...index.getKeys({ end: before, limit })],
    async close() {
      await root.committed;
      flush(folder);
      about.putSync('flushed', true);
      await root.close();
      flush(folder);
    },
  };
}
