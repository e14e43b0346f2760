import { basename, dirname } from 'node:path';
import { startOf } from './collect.js';
import { rotationsOf, type LogPaths } from './discover.js';
import { identify, keptAs } from './identity.js';
import { openLog, type LogFile } from './log-file.js';
import type { TailState } from './positions.js';

export interface FirstPositionsOptions {
  readonly files: readonly LogFile[];
  readonly places: LogPaths;
  readonly state: Pick<TailState, 'positions' | 'places'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Where to begin in the logs that an earlier version did not read: at the same positions as a new agent. Where one path
 * was named, it read that log alone; its positions do not tell which log they are of. None where it read a file of the
 * other log too, by another path or none: then the other files came later.
 */
export async function firstPositions(options: FirstPositionsOptions): Promise<TailState['positions']> {
  const { files, places, state, now } = options;
  const named = [places.searchLogPath, places.indexingLogPath].filter((path) => path !== '');
  const [path] = named;
  const isEarlier = state.places === null && Object.keys(state.positions).length > 0;
  if (!isEarlier || path === undefined || named.length > 1) return {};
  const isNamed = rotationsOf(basename(path));
  const others = files.filter(
    (file) => dirname(file.path) !== dirname(path) || !isNamed(basename(file.path)),
  );
  const begun: Record<string, TailState['positions'][string]> = {};
  for (const { path } of others) {
    const log = await openLog(path).catch(() => null); // it is noted when it is read
    if (log === null) continue;
    const identity = await identify(log)
      .catch(() => null)
      .finally(() => log.handle.close());
    if (identity === null || typeof identity === 'string') continue;
    if (keptAs(identity, state.positions) !== undefined) return {};
    begun[identity.name] = {
      offset: startOf(log.file, { since: now, state: { positions: {} } }),
      seenAt: now,
    };
  }
  return begun;
}
