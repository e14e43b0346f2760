import { discoverLogs, type WhereToLook } from './tail/discover.js';
import type { LogFile } from './tail/log-file.js';

/** About an entry, not about its cluster. */
export const readElsewhere =
  'another entry of integration.json leads to the same cluster: its logs are read there';

/**
 * Diagnostics for an entry whose cluster's logs are read for another entry, with that one's `slowlog`: logs
 * that only this entry names are not read.
 */
export async function diagnosticsOfUnread(
  files: readonly LogFile[],
  readAt: WhereToLook,
): Promise<readonly string[]> {
  const read = await discoverLogs(readAt);
  const known = new Set([...read.files, ...read.duplicates].map(({ inode }) => inode));
  const unread = files.filter(({ inode }) => !known.has(inode));
  const [first] = unread;
  if (first === undefined) return [readElsewhere];
  const count = unread.length === 1 ? '1 slow log' : `${unread.length} slow logs`;
  return [
    readElsewhere,
    `${count} like ${first.path} ${unread.length === 1 ? 'is' : 'are'} not read: another entry of integration.json leads to the same cluster, and that entry's slowlog settings apply; list all folders in slowlog.logDirectories of both, and set no paths`,
  ];
}
