import { linkSync, rmSync } from 'node:fs';
import { livingOwner, writePidFile } from './pid-file.js';

/**
 * Takes a lock that names this process, and returns the function that releases it; undefined where another living
 * process has the lock. A lock whose owner has died is taken over. The file appears complete or not at all, because a
 * link is made to it.
 */
export function tryLock(path: string): (() => void) | undefined {
  if (livingOwner(path) !== undefined) return undefined;
  rmSync(path, { force: true });
  const mine = `${path}.${process.pid}`;
  writePidFile(mine, process.pid);
  try {
    linkSync(mine, path);
    return () => rmSync(path, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}
