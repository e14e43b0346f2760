import { readFile } from 'node:fs/promises';
import { stat, statSync, type Stats } from 'node:fs';

/** The text of a file; undefined if there is none. Rejects if it exists but can't be read. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const lookEveryMs = 1_000;

/** The state of a file at one time, taken before the file is read, so that no later change is missed. */
export interface FileSeen {
  readonly path: string;
  readonly mark: string;
}

export function seenNow(path: string): FileSeen {
  try {
    return { path, mark: markOf(statSync(path)) };
  } catch {
    return { path, mark: gone };
  }
}

/**
 * Calls back when the file differs from the state that was seen (changed, created or deleted), at most a
 * second later. It polls the file, because notifications miss mounted files and files that are replaced by
 * renaming.
 */
export function watchForChanges({ path, mark: first }: FileSeen, onChange: () => void): () => void {
  let last = first;
  let looking = false;
  let watching = true;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    stat(path, (error, found) => {
      looking = false;
      const mark = error === null ? markOf(found) : gone;
      if (!watching || mark === last) return;
      last = mark;
      onChange();
    });
  }, lookEveryMs).unref();
  return () => {
    watching = false;
    clearInterval(timer);
  };
}

const gone = 'gone';

function markOf({ mtimeMs, size, ino }: Stats): string {
  return [mtimeMs, size, ino].join();
}
