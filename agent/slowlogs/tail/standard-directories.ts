import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Elasticsearch writes its logs: packages (deb, rpm), Docker and tar, Homebrew on Intel and on ARM. */
const fixed: readonly string[] = [
  '/var/log/elasticsearch',
  '/usr/share/elasticsearch/logs',
  '/opt/elasticsearch/logs',
  '/usr/local/var/log/elasticsearch',
  '/opt/homebrew/var/log/elasticsearch',
];

/** Where a tar is unpacked: it creates a directory named after its version. */
const parents: readonly string[] = ['/opt', '/usr/local', '/usr/share', homedir()];
const unpacked = /^elasticsearch-(?:oss-)?\d[\w.-]*$/;

/**
 * Upgrades leave the directories of earlier versions: of each parent, this many are searched, newest first.
 */
const versionsAtMost = 16;

/** All of the standard directories that may be on this host. */
export async function standardDirectories(): Promise<readonly string[]> {
  return [...fixed, ...(await unpackedIn(parents))];
}

/** The logs of versions that are unpacked directly below some directories, the newest first. */
export async function unpackedIn(folders: readonly string[]): Promise<readonly string[]> {
  const logs: string[] = [];
  for (const folder of new Set(folders)) {
    const versions = (await entriesOf(folder))
      .filter((entry) => unpacked.test(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
      .map(({ name }) => name)
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    logs.push(...versions.slice(0, versionsAtMost).map((version) => join(folder, version, 'logs')));
  }
  return logs;
}

/** A directory that may not be listed counts as empty, because few hosts have any of them. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
