import { readdirSync, statSync } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../component.js';
import { realDisk } from '../spool/disk.js';

/** What the server will never take, with its reason: kept for people, out of the way of everything else. */
export interface Quarantine {
  /** Resolves once the entry is durable. Rejects where it can't be written. */
  keep(entry: QuarantineEntry): Promise<void>;
  /** Of a dataset, on disk. */
  bytes(dataset: Dataset): number;
  readonly folder: string;
}

interface QuarantineEntry {
  readonly at: string;
  readonly dataset: Dataset;
  readonly batch: string;
  readonly reason: string;
  readonly items: readonly QuarantinedItem[];
}

export interface QuarantinedItem {
  /** In its batch. */
  readonly index: number;
  /** As it was sent: one line of JSON. */
  readonly line: string;
}

/** A file that is longer becomes `<name>.old`, and the `.old` before it is gone. */
const longestFile = 32 * 1024 * 1024;

export function createQuarantine(folder: string): Quarantine {
  return {
    folder,
    bytes: (dataset) =>
      filesOf(folder, dataset).reduce(
        (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    async keep({ dataset, items, ...about }) {
      await realDisk.makeFolder(folder);
      const [old, path] = quarantineFiles(folder, dataset);
      await rotate(path, old);
      const lines = items.map(({ index, line }) => {
        const head = JSON.stringify({ ...about, dataset, index });
        return `${head.slice(0, -1)}${beforeItem}${line}}\n`;
      });
      const file = await open(path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        if (size === 0) await realDisk.syncFolder(folder);
        // Else what a crash or a full disk has left of an entry would make this one unreadable too.
        const torn = size > 0 && !(await endsInLineEnd(file, size));
        await file.appendFile((torn ? '\n' : '') + lines.join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** The older one first. */
export function quarantineFiles(folder: string, dataset: Dataset): readonly [old: string, newest: string] {
  const path = join(folder, `${dataset}.ndjson`);
  return [`${path}.old`, path];
}

/** Also those that are being sent again, and what could not be read then. */
function filesOf(folder: string, dataset: Dataset): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${dataset}.`))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

const beforeItem = ',"item":';

export interface KeptItem {
  readonly line: string;
  /** The same for what was quarantined twice; undefined in entries that do not say where in its batch an item was. */
  readonly identity: string | undefined;
}

/** The item of an entry; undefined for what a crash has left of an entry. */
export function itemOfEntry(entry: string): KeptItem | undefined {
  // Within a text its quotes would be escaped: so the first one is it.
  const start = entry.indexOf(beforeItem);
  if (start === -1 || !entry.endsWith('}')) return undefined;
  const line = entry.slice(start + beforeItem.length, -1);
  try {
    const { batch, index } = JSON.parse(entry) as { batch?: unknown; index?: unknown };
    const isKnown = typeof batch === 'string' && typeof index === 'number';
    // A batch that the disk has damaged has other items in their places: so the item itself belongs to it.
    return { line, identity: isKnown ? `${batch} ${index} ${line}` : undefined };
  } catch {
    return undefined;
  }
}

async function endsInLineEnd(file: FileHandle, size: number): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer.toString() === '\n';
}

async function rotate(path: string, old: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < longestFile) return;
  await rm(old, { force: true });
  await rename(path, old);
}
