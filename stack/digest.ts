import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { TelltaleError } from '../runtime/errors.js';

/** Throws DOWNLOAD_FAILED unless the names and contents of a folder's files have the pinned digest. */
export async function requireDigest(what: string, folder: string, wanted: string): Promise<void> {
  const found = await digestOfFolder(folder);
  if (found === wanted) return;
  const reason =
    `the digest of its files is ${found}, expected ${wanted}. ` +
    'Remove its files from the local Maven repository (~/.m2), and try again';
  throw new TelltaleError('DOWNLOAD_FAILED', { what, reason });
}

/** The same for one file: throws DOWNLOAD_FAILED unless its SHA-256 is the pinned one. */
export async function requireFileDigest(what: string, file: string, wanted: string): Promise<void> {
  const found = await digestOfFile(file);
  if (found === wanted) return;
  const reason =
    `its digest is ${found}, expected ${wanted}. ` +
    'Remove it from the local Maven repository (~/.m2), and try again';
  throw new TelltaleError('DOWNLOAD_FAILED', { what, reason });
}

/** The output of `sha256sum | sha256sum`, with the names sorted by their bytes. */
export async function digestOfFolder(folder: string): Promise<string> {
  const list = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    list.update(`${await digestOfFile(join(folder, name))}  ${name}\n`);
  }
  return list.digest('hex');
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
