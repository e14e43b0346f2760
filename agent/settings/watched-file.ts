import { readFile } from 'node:fs/promises';
import { unwatchFile, watchFile, type Stats } from 'node:fs';

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

/**
 * Calls back when the file has changed, appeared or gone, a second later at most. It looks at the file and not for
 * notifications: those miss files that are replaced by another name, and mounted ones.
 */
export function watchForChanges(path: string, onChange: () => void): () => void {
  const look = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) onChange();
  };
  watchFile(path, { interval: lookEveryMs, persistent: false }, look);
  return () => unwatchFile(path, look);
}
