import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../runtime/process/lock-file.js';

/** The folder of downloads, shared by all checkouts of a user. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment['TELLTALE_CACHE'];
  return base !== undefined && base !== '' ? base : join(homedir(), '.cache', 'telltale');
}

/**
 * A folder of the cache, filled once. It is filled under another name and then renamed, so that a folder that
 * exists is complete. A second process that wants it waits for the first, and takes over if that has died.
 */
export async function fetchOnce(
  name: string,
  fill: (folder: string) => Promise<void>,
  root: string = cacheFolder(),
): Promise<string> {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  let release = tryLock(`${folder}.lock`);
  while (release === undefined) {
    await sleep(250);
    release = tryLock(`${folder}.lock`);
  }
  const unfinished = `${folder}.unfinished`;
  try {
    if (existsSync(folder)) return folder;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    await fill(unfinished);
    renameSync(unfinished, folder);
    return folder;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    release();
  }
}
