import type { Capability } from '../../../schemas/snapshots/capability-section.js';
import type { ClusterOf } from '../cluster-reader.js';
import { newestRow } from './sections.js';
import { ofCluster, type Store, type StoredRow } from './store.js';

export interface Thresholds {
  readonly search: boolean | null;
  readonly indexing: boolean | null;
}

interface Told {
  readonly sections?: readonly Pick<Capability, 'section' | 'state' | 'reason' | 'privilege'>[];
  readonly notes?: readonly string[];
  readonly slow_log_thresholds?: Thresholds | null;
}

/** What each agent that reports the cluster can collect of it, the newest first. */
export type Capabilities = readonly { readonly reporter: unknown; readonly told: Told }[];

const mostReporters = 10;

export async function readCapabilities(
  store: Store,
  of: ClusterOf,
  newest: StoredRow | undefined,
): Promise<Capabilities> {
  if (newest === undefined) return [];
  const reports = await store.query<{ readonly reporter: string | null; readonly slot_ms: number | string }>(
    `SELECT reporter, toUnixTimestamp64Milli(max(slot)) AS slot_ms FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = 'capabilities' AND slot > fromUnixTimestamp64Milli({newest:Int64}) - INTERVAL 1 HOUR
     GROUP BY reporter ORDER BY slot_ms DESC LIMIT ${mostReporters}`,
    { ...of, newest: Number(newest['slot_ms']) },
  );
  const rows = await Promise.all(
    reports.map(({ reporter, slot_ms }) =>
      newestRow(store, of, 'capabilities', Number(slot_ms), { reporter }),
    ),
  );
  const found = rows.filter((row) => row !== undefined);
  return (found.length === 0 ? [newest] : found).map((row) => ({
    reporter: row['reporter'],
    told: toldBy(row),
  }));
}

/** What the agent says that collects: another's endpoint can be dead. */
export function capabilityOf(capabilities: Capabilities, section: string, owner: unknown) {
  const own = capabilities.find(({ reporter }) => reporter === owner) ?? capabilities[0];
  return own?.told.sections?.find((each) => each.section === section);
}

export function notesOf(capabilities: Capabilities): readonly string[] {
  return [...new Set(capabilities.flatMap(({ told }) => told.notes ?? []))];
}

/** The last that was known of the thresholds: an agent that does not reach the cluster says nothing of them. */
export async function readThresholds(store: Store, of: ClusterOf): Promise<Thresholds | null> {
  const [row] = await store.query<StoredRow>(
    `SELECT details FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = 'capabilities' AND slot > now() - INTERVAL 7 DAY
       AND JSONExtractRaw(ifNull(details, ''), 'slow_log_thresholds') NOT IN ('', 'null')
     ORDER BY slot DESC LIMIT 1`,
    { ...of },
  );
  return row === undefined ? null : (toldBy(row).slow_log_thresholds ?? null);
}

const ofSlowLogs = 'slow logs: ';

/** What agents have noted in the last hour of the slow logs that they read, or do not. */
export async function readSlowLogNotes(store: Store, of: ClusterOf): Promise<readonly string[]> {
  const rows = await store.query<StoredRow>(
    `SELECT argMax(details, slot) AS details FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = 'capabilities' AND slot > now() - INTERVAL 1 HOUR GROUP BY reporter`,
    { ...of },
  );
  const notes = rows.flatMap((row) => toldBy(row).notes ?? []);
  return [...new Set(notes.filter((note) => note.startsWith(ofSlowLogs)))].sort();
}

function toldBy(row: StoredRow): Told {
  const text = row['details'];
  return typeof text === 'string' ? (JSON.parse(text) as Told) : {};
}
