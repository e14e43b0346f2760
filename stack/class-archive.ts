import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchOnce } from './cache.js';
import { pathOfJava } from './tools.js';

/** A program of Java whose classes are kept. */
export interface Archived {
  /** With its version: its folder in the cache. */
  readonly name: string;
  readonly java: string;
  /** Starts the program with these flags and its data in this folder, and stops it. */
  readonly runOnce: (flags: readonly string[], folder: string) => Promise<void>;
}

/**
 * The flags with which a program of Java starts from classes that an earlier run has parsed and verified (class data
 * sharing): that work is half of what a start costs. The first start on a machine runs the program once more, to write
 * the archive. None where this Java can't write one; an archive that does not fit is passed over by Java itself.
 */
export async function classArchive({ name, java, runOnce }: Archived, root?: string): Promise<string[]> {
  const write = async (unfinished: string): Promise<void> => {
    const data = join(unfinished, 'data');
    mkdirSync(data);
    await runOnce([`-XX:ArchiveClassesAtExit=${join(unfinished, file)}`], data).catch(() => undefined);
    rmSync(data, { recursive: true, force: true });
  };
  const folder = await fetchOnce(`${name}-classes-${identityOf(java)}`, write, root);
  const archive = join(folder, file);
  return existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
}

const file = 'classes.jsa';

/** Another Java has other classes. */
function identityOf(java: string): string {
  const path = pathOfJava(java);
  const { size, mtimeMs } = statSync(path);
  return createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('hex').slice(0, 12);
}
