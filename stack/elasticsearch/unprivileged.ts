import { chown, copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The id of `nobody` on every Linux. */
const nobody = 65_534;

/** Elasticsearch refuses to run as root, which tests do in many containers. */
export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/** The same command, run as `nobody` if this process is root. */
export function unprivileged(command: string, args: readonly string[]): [string, string[]] {
  if (!runsAsRoot()) return [command, [...args]];
  const drop = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  return ['setpriv', [...drop, command, ...args]];
}

/** Gives a folder and its content to `nobody` if this process is root. */
export async function handOver(folder: string): Promise<void> {
  if (!runsAsRoot()) return;
  await chown(folder, nobody, nobody);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await handOver(path);
    else await chown(path, nobody, nobody);
  }
}

/** A copy that shares the files' contents if the file system can: `nobody` can't read root's cache. */
export async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
}
