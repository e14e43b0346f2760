import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { realDisk } from '../spool/disk.js';

/**
 * Writes a file so that a crash leaves either the former content or all of the new text. Resolves once that
 * is durable: the new name only survives a crash once the folder is synced. Also creates the folder, for its
 * owner alone.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await realDisk.makeFolder(folder);
  const next = `${path}.next`;
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
  await realDisk.syncFolder(folder);
}
