import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { realDisk } from '../spool/disk.js';

/**
 * Writes a file such that a crash leaves what was there before or all of the new text, never a part of it, and resolves
 * once that is durable: only a folder that was synced keeps the new name. Makes the folder, for its owner alone, too.
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
