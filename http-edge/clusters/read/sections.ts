import type { ClusterOf } from '../cluster-reader.js';
import { iso, ofCluster, type Store, type StoredRow } from './store.js';

/** The last snapshot of a section that is there as a whole: all its parts, and all the rows that they make. */
export interface LastSnapshot {
  readonly slot: number;
  readonly takenAt: string | null;
  readonly partial: boolean;
  readonly items: number;
  readonly unavailable: Readonly<Record<string, string>>;
}

interface SlotRow {
  readonly slot_ms: number | string;
  readonly last_taken_at: string;
  readonly is_partial: boolean;
  readonly item_count: number | string;
  readonly reasons: Readonly<Record<string, string>>;
}

const slotsConsidered = 5;

/**
 * Overview and rows come through two topics: a slot whose rows are not all there yet is passed over for the one before,
 * so that a list is never half of one. `at`: the slot itself, of a page that goes on.
 */
export async function lastSnapshot(
  store: Store,
  of: ClusterOf,
  section: string,
  table: string,
  at: number | undefined,
): Promise<LastSnapshot | undefined> {
  const only = at === undefined ? '' : 'AND slot = fromUnixTimestamp64Milli({at:Int64})';
  const slots = await store.query<SlotRow>(
    `SELECT toUnixTimestamp64Milli(slot) AS slot_ms, toString(max(taken_at)) AS last_taken_at,
        max(partial) AS is_partial, sum(ifNull(items, 0)) AS item_count,
        mapFromArrays(groupArrayArray(mapKeys(unavailable)), groupArrayArray(mapValues(unavailable))) AS reasons
     FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = {section:String} AND slot > now() - INTERVAL 7 DAY ${only}
     GROUP BY slot HAVING uniqExact(part) = any(parts)
     ORDER BY slot DESC LIMIT ${slotsConsidered}`,
    { ...of, section, at: at ?? 0 },
  );
  if (slots.length === 0) return undefined;
  const counted = await store.query<{ slot_ms: number | string; rows: number | string }>(
    `SELECT toUnixTimestamp64Milli(slot) AS slot_ms, count() AS rows FROM telltale.${table}
     WHERE ${ofCluster} AND toUnixTimestamp64Milli(slot) IN {slots:Array(Int64)} GROUP BY slot`,
    { ...of, slots: slots.map(({ slot_ms }) => Number(slot_ms)) },
  );
  const rows = new Map(counted.map((row) => [Number(row.slot_ms), Number(row.rows)]));
  const whole = slots.find(
    ({ slot_ms, item_count }) => (rows.get(Number(slot_ms)) ?? 0) >= Number(item_count),
  );
  if (whole === undefined) return undefined;
  return {
    slot: Number(whole.slot_ms),
    takenAt: iso(whole.last_taken_at),
    partial: whole.is_partial,
    items: Number(whole.item_count),
    unavailable: whole.reasons,
  };
}

/** The newest overview row of each section. Empty where the workspace has no such cluster. */
export async function newestSections(store: Store, of: ClusterOf): Promise<readonly StoredRow[]> {
  return store.query<StoredRow>(
    `SELECT *, toUnixTimestamp64Milli(slot) AS slot_ms FROM telltale.cluster_overview
     WHERE ${ofCluster} ORDER BY slot DESC, part LIMIT 1 BY section`,
    { ...of },
  );
}

export async function isKnown(store: Store, of: ClusterOf): Promise<boolean> {
  const found = await store.query(
    `SELECT 1 AS found FROM telltale.cluster_overview WHERE ${ofCluster} LIMIT 1`,
    { ...of },
  );
  return found.length > 0;
}
