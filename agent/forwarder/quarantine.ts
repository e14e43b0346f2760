import { readdirSync, statSync } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../component.js';
import { realDisk } from '../spool/disk.js';

/**
 * Items that the server will never accept, each with its reason. They are kept for people to look at, apart
 * from everything else.
 */
export interface Quarantine {
  /** Resolves once the entry is durable. Rejects if it can't be written. */
  keep(entry: QuarantineEntry): Promise<void>;
  /** The bytes of a dataset's entries on disk. */
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
  /** The index in its batch. */
  readonly index: number;
  /** As it was sent: one line of JSON. */
  readonly line: string;
}

/** A longer file becomes `<name>.old`, and the former `.old` is deleted. */
const longestFile = 32 * 1024 * 1024;

/** Where an agent keeps it. */
export const quarantineFolderOf = (agentFolder: string): string => join(agentFolder, 'quarantine');

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
        // An entry that a crash or a full disk cut short would otherwise make this one unreadable too.
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

/** Includes files that are being sent again, and entries that could not be read then. */
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
  /** Equal for an item that was quarantined twice; undefined in entries without the item's index. */
  readonly identity: string | undefined;
}

/** The item of an entry; undefined if a crash has cut the entry short. */
export function itemOfEntry(entry: string): KeptItem | undefined {
  // Within a text its quotes would be escaped, so the first match is the item.
  const start = entry.indexOf(beforeItem);
  if (start === -1 || !entry.endsWith('}')) return undefined;
  const line = entry.slice(start + beforeItem.length, -1);
  try {
    const { batch, index } = JSON.parse(entry) as { batch?: unknown; index?: unknown };
    const isKnown = typeof batch === 'string' && typeof index === 'number';
    // Damage to the disk changes which items have these indices, so the item itself is part of the identity.
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
