import type { EntryDiagnostics } from '../diagnostics.js';

/** What is known of an entry of integration.json that is watched. */
export interface WatchedEntry {
  /** Whether `slowlog.enabled` is true. */
  readonly readsLogs: boolean;
  /** The UUID of the cluster that it led to last. */
  readonly met: string | null;
  /** Whether nobody has been asked yet. */
  readonly isStarting: boolean;
  /** What is said of its slow logs. */
  readonly said: EntryDiagnostics;
}

/** Begins as the diagnostics of slow logs that are read: whoever finds no slow operations is told why. */
const none = 'slow logs: this agent reads none, as slowlog.enabled is false in its integration.json';

/**
 * On the slow logs of the cluster that an entry leads to: they may be read for another entry that leads there, or led
 * there when it answered last. That none are read is not said while that is not known of each.
 */
export function slowLogDiagnostics(own: WatchedEntry, all: readonly WatchedEntry[]): readonly string[] {
  const cluster = clusterOf(own);
  const leading = all.filter((one) => one === own || (cluster !== null && clusterOf(one) === cluster));
  if (leading.some(({ readsLogs }) => readsLogs))
    return [...new Set(leading.flatMap(({ said }) => said.messages))];
  return all.some(mayYetLead) ? [] : [none];
}

const clusterOf = ({ met, said }: WatchedEntry): string | null => met ?? said.cluster;

const mayYetLead = ({ readsLogs, isStarting }: WatchedEntry): boolean => readsLogs && isStarting;
