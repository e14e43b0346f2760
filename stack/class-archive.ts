import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchOnce } from './cache.js';
import { pathOfJava } from './tools.js';

/** A Java program whose classes are archived. */
export interface Archived {
  /** Includes its version; also names its folder in the cache. */
  readonly name: string;
  readonly java: string;
  /** Starts the program with these flags and its data in this folder, and stops it. */
  readonly runOnce: (flags: readonly string[], folder: string) => Promise<void>;
}

/**
 * The flags with which a Java program starts from classes that an earlier run has parsed and verified (class
 * data sharing): that work is half the cost of a start. The first start on a machine runs the program once
 * more, to write the archive. None if this Java can't write one; Java itself ignores one that does not fit.
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

/** A different Java needs a different archive. */
function identityOf(java: string): string {
  const path = pathOfJava(java);
  const { size, mtimeMs } = statSync(path);
  return createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('hex').slice(0, 12);
}
