import { mostReporters, type CapabilityReport } from '../../../schemas/snapshots/capability-report.js';
import { capabilitiesHoldMs, type Capability } from '../../../schemas/snapshots/capability-section.js';
import type { ClusterOf } from '../cluster-reader.js';
import { isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

export interface Thresholds {
  readonly search: boolean | null;
  readonly indexing: boolean | null;
}

export interface DatedThresholds extends Thresholds {
  readonly as_of: string | null;
}

interface Told {
  readonly sections?: readonly Pick<Capability, 'section' | 'state' | 'reason' | 'privilege'>[];
  readonly notes?: readonly string[];
  readonly slow_log_thresholds?: Thresholds | null;
}

interface Report extends CapabilityReport {
  readonly told: Told;
}

/** What each agent that reports the cluster can collect from it, newest report first. */
export type Capabilities = readonly Report[];

/** The last report of each agent, if it was still valid at `at` (milliseconds since 1970). */
export async function readCapabilities(store: Store, of: ClusterOf, at: number): Promise<Capabilities> {
  const rows = await store.query<StoredRow>(
    `SELECT reporter, toUnixTimestamp64Milli(max(slot)) AS slot_ms, argMax(details, slot) AS details
     FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = 'capabilities' AND slot > fromUnixTimestamp64Milli({since:Int64})
     GROUP BY reporter ORDER BY slot_ms DESC LIMIT ${mostReporters}`,
    { ...of, since: at - capabilitiesHoldMs },
  );
  return rows.map((row) => ({
    reporter: typeof row['reporter'] === 'string' ? row['reporter'] : null,
    at: Number(row['slot_ms']),
    told: detailsOf(row),
  }));
}

export function notesOf(capabilities: Capabilities): readonly string[] {
  return [...new Set(capabilities.flatMap(({ told }) => told.notes ?? []))];
}

export const slowLogNotePrefix = 'slow logs: ';

/** The agents' notes about the slow logs that they read or can't read. */
export function slowLogNotesOf(capabilities: Capabilities): readonly string[] {
  return notesOf(capabilities)
    .filter((note) => note.startsWith(slowLogNotePrefix))
    .toSorted();
}

const isToldOf = (what: keyof Thresholds): string =>
  `JSONExtractRaw(ifNull(details, ''), 'slow_log_thresholds', '${what}') IN ('true', 'false')`;

/**
 * The last known thresholds. An agent that can't reach the cluster reports none. One that may not see every
 * index might know only one of the two.
 */
export async function readThresholds(store: Store, of: ClusterOf): Promise<DatedThresholds | null> {
  const [row] = await store.query<StoredRow>(
    `SELECT details, toUnixTimestamp64Milli(slot) AS slot_ms FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = 'capabilities' AND slot > now() - INTERVAL 7 DAY
       AND (${isToldOf('search')} OR ${isToldOf('indexing')})
     ORDER BY slot DESC, reporter LIMIT 1`,
    { ...of },
  );
  const told = row === undefined ? undefined : detailsOf(row).slow_log_thresholds;
  return row === undefined || !told ? null : { as_of: isoOfMillis(Number(row['slot_ms'])), ...told };
}

function detailsOf(row: StoredRow): Told {
  const text = row['details'];
  return typeof text === 'string' ? (JSON.parse(text) as Told) : {};
}
