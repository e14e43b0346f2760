import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { TelltaleError } from '../../runtime/errors.js';
import { replaceFile } from './replace-file.js';

/**
 * The key of the digests that replace ids and users: generated once, kept on this host alone, and never sent.
 * An empty file gets a new key, because with an empty one anybody who guesses an id could compute its digest.
 * Rejects with DIGEST_KEY_INVALID if the file contains something else: another key would give the same ids
 * other digests, which is the operator's decision.
 */
export async function digestKey(path: string): Promise<string> {
  const kept = await textOf(path);
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  if (kept !== '') throw new TelltaleError('DIGEST_KEY_INVALID', { path });
  const key = randomBytes(32).toString('hex');
  await replaceFile(path, key);
  return key;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
