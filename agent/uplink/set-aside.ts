import { statSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../part.js';

/** What the server will never take, with its reason: kept for people, out of the way of everything else. */
export interface SetAside {
  /** Rejects where it can't be written. */
  keep(entry: SetAsideEntry): Promise<void>;
  /** Of a dataset, on disk. */
  bytes(dataset: Dataset): number;
  readonly folder: string;
}

export interface SetAsideEntry {
  readonly at: string;
  readonly dataset: Dataset;
  readonly batch: string;
  readonly reason: string;
  /** As they were sent, each one line of JSON. */
  readonly lines: readonly string[];
}

/** A file that is longer becomes `<name>.old`, and the `.old` before it is gone. */
const longestFile = 32 * 1024 * 1024;

export function createSetAside(folder: string): SetAside {
  return {
    folder,
    bytes: (dataset) =>
      setAsideFiles(folder, dataset).reduce(
        (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    async keep({ dataset, lines, ...about }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const [old, path] = setAsideFiles(folder, dataset);
      await rotate(path, old);
      const head = JSON.stringify({ ...about, dataset });
      const entries = lines.map((line) => `${head.slice(0, -1)}${beforeItem}${line}}\n`);
      await appendFile(path, entries.join(''), { mode: 0o600, flush: true });
    },
  };
}

/** The older one first. */
export function setAsideFiles(folder: string, dataset: Dataset): readonly [old: string, newest: string] {
  const path = join(folder, `${dataset}.ndjson`);
  return [`${path}.old`, path];
}

const beforeItem = ',"item":';

/** The item of an entry as it was sent; undefined for what a crash has left of an entry. */
export function itemOfEntry(line: string): string | undefined {
  // Within a text its quotes would be escaped: so the first one is it.
  const start = line.indexOf(beforeItem);
  if (start === -1 || !line.endsWith('}')) return undefined;
  const item = line.slice(start + beforeItem.length, -1);
  try {
    JSON.parse(item);
    return item;
  } catch {
    return undefined;
  }
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
