import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../part.js';

/** What the server will never take, with its reason: kept for people, out of the way of everything else. */
export interface SetAside {
  /** Rejects where it can't be written. */
  keep(entry: SetAsideEntry): Promise<void>;
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
    async keep({ dataset, lines, ...about }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${dataset}.ndjson`);
      await rotate(path);
      const head = JSON.stringify({ ...about, dataset });
      const entries = lines.map((line) => `${head.slice(0, -1)},"item":${line}}\n`);
      await appendFile(path, entries.join(''), { mode: 0o600, flush: true });
    },
  };
}

async function rotate(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < longestFile) return;
  await rm(`${path}.old`, { force: true });
  await rename(path, `${path}.old`);
}
