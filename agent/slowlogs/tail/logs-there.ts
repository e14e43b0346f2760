import { discoverLogs } from './discover.js';
import { identify } from './identity.js';
import { openLog } from './log-file.js';
import type { TailState } from './positions.js';

/**
 * Whether a known file is still where the logs were last looked for, under any of its names. True if that is
 * unknown.
 */
export async function logsAreThere({ cluster, positions, taken, places }: TailState): Promise<boolean> {
  const isUnread = Object.keys(positions).length === 0;
  if (isUnread && taken.length === 0) return false;
  if (places === null) return true;
  const { files, duplicates, hidden } = await discoverLogs({ ...places, clusterName: cluster?.name ?? null });
  if (hidden) return true;
  for (const { path } of [...files, ...duplicates])
    if (isUnread || (await isKnown(path, positions))) return true;
  return false;
}

async function isKnown(path: string, positions: TailState['positions']): Promise<boolean> {
  try {
    const log = await openLog(path);
    if (log === null) return false;
    const identity = await identify(log).finally(() => log.handle.close());
    return typeof identity === 'object' && identity.name in positions;
  } catch {
    return true;
  }
}
