import { readFile } from 'node:fs/promises';
import { stat, statSync, type Stats } from 'node:fs';

/** The text of a file; undefined where there is none. Rejects where it is there and can't be read. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const lookEveryMs = 1_000;

/** How a file looked at one time. Taken before the file is read, so that no change after the reading is missed. */
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
 * Calls back when the file is not as it was seen any more: changed, appeared or gone, a second later at most. It looks
 * at the file and not for notifications: those miss files that are replaced by another name, and mounted ones.
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
