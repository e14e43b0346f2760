import type { EntryDiagnostics } from '../diagnostics.js';

/** A watched entry of integration.json, as far as it is known. */
export interface WatchedEntry {
  /** Whether `slowlog.enabled` is true. */
  readonly readsLogs: boolean;
  /** The UUID of the cluster that it led to last. */
  readonly met: string | null;
  /** Whether no cluster has been asked yet. */
  readonly isStarting: boolean;
  /** The diagnostics of its slow logs. */
  readonly said: EntryDiagnostics;
}

/** Starts like the diagnostics of slow logs that are read: it explains why there are no slow operations. */
const none = 'slow logs: this agent reads none, as slowlog.enabled is false in its integration.json';

/**
 * The diagnostics of the slow logs of the cluster that an entry leads to. The logs can also be read for
 * another entry that leads there, or did by its last answer. That no logs are read is reported only once that
 * is known of every entry.
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
