import type { ClusterOf } from '../cluster-reader.js';
import { iso, ofCluster, type Store, type StoredRow } from './store.js';

/** The last complete snapshot of a section: all its parts, and all their rows. */
export interface LastSnapshot {
  readonly slot: number;
  readonly takenAt: string | null;
  readonly partial: boolean;
  readonly items: number;
  /** How many the cluster has, and how many of them are left out; null if the agent did not say. */
  readonly inCluster: number | null;
  readonly cut: number | null;
  readonly intervalSeconds: number;
  readonly unavailable: Readonly<Record<string, string>>;
}

interface SlotRow {
  readonly slot_ms: number | string;
  readonly last_taken_at: string;
  readonly is_partial: boolean;
  readonly item_count: number | string;
  readonly count_all: number | null;
  readonly count_cut: number | null;
  readonly seconds: number | string;
  readonly reasons: Readonly<Record<string, string>>;
}

const firstConsidered = 5;

/**
 * Overview and rows come through two topics. If a slot's rows have not all arrived, an earlier slot is used,
 * however far behind the rows are, so a list is always complete. `at` is the slot of a cursor, if a page
 * continues a list.
 */
export async function lastSnapshot(
  store: Store,
  of: ClusterOf,
  section: string,
  table: string,
  at: number | undefined,
): Promise<LastSnapshot | undefined> {
  for (let passed = 0, most = firstConsidered; ; passed += most, most *= 4) {
    const slots = await wholeSlots(store, of, { section, at, passed, most });
    const whole = await firstWithRows(store, of, { section, table }, slots);
    if (whole !== undefined || slots.length < most) return whole;
  }
}

/** The last snapshot of a section whose overview rows contain all of its data. */
export async function lastWholeSlot(
  store: Store,
  of: ClusterOf,
  section: string,
  at: number | undefined,
): Promise<LastSnapshot | undefined> {
  const [whole] = await wholeSlots(store, of, { section, at, passed: 0, most: 1 });
  return whole && snapshotOf(whole);
}

async function wholeSlots(
  store: Store,
  of: ClusterOf,
  { section, at, passed, most }: { section: string; at: number | undefined; passed: number; most: number },
): Promise<readonly SlotRow[]> {
  const only = at === undefined ? '' : 'AND slot = fromUnixTimestamp64Milli({at:Int64})';
  return store.query<SlotRow>(
    `SELECT toUnixTimestamp64Milli(slot) AS slot_ms, toString(max(taken_at)) AS last_taken_at,
        max(partial) AS is_partial, sum(ifNull(items, 0)) AS item_count,
        max(coalesce(nodes, indices, shards, pending_tasks, tasks, recoveries)) AS count_all,
        max(coalesce(nodes_cut, shards_cut)) AS count_cut,
        max(interval_seconds) AS seconds,
        mapFromArrays(groupArrayArray(mapKeys(unavailable)), groupArrayArray(mapValues(unavailable))) AS reasons
     FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = {section:String} AND slot > now() - INTERVAL 7 DAY ${only}
     GROUP BY slot HAVING uniqExact(part) = any(parts)
     ORDER BY slot DESC LIMIT {most:UInt32} OFFSET {passed:UInt32}`,
    { ...of, section, at: at ?? 0, passed, most },
  );
}

async function firstWithRows(
  store: Store,
  of: ClusterOf,
  { section, table }: { section: string; table: string },
  slots: readonly SlotRow[],
): Promise<LastSnapshot | undefined> {
  if (slots.length === 0) return undefined;
  const times = slots.map(({ slot_ms }) => Number(slot_ms));
  const counted = await store.query<{ slot_ms: number | string; rows: number | string }>(
    `SELECT toUnixTimestamp64Milli(slot) AS slot_ms, count() AS rows FROM telltale.${table}
     WHERE ${ofCluster} AND section = {section:String} AND slot >= fromUnixTimestamp64Milli({oldest:Int64})
       AND toUnixTimestamp64Milli(slot) IN {slots:Array(Int64)} GROUP BY slot`,
    { ...of, section, slots: times, oldest: Math.min(...times) },
  );
  const rows = new Map(counted.map((row) => [Number(row.slot_ms), Number(row.rows)]));
  const whole = slots.find(
    ({ slot_ms, item_count }) => (rows.get(Number(slot_ms)) ?? 0) >= Number(item_count),
  );
  return whole === undefined ? undefined : snapshotOf(whole);
}

const snapshotOf = (row: SlotRow): LastSnapshot => ({
  slot: Number(row.slot_ms),
  takenAt: iso(row.last_taken_at),
  partial: row.is_partial,
  items: Number(row.item_count),
  inCluster: row.count_all,
  cut: row.count_cut,
  intervalSeconds: Number(row.seconds),
  unavailable: row.reasons,
});

/**
 * The newest overview row of each section in the last 7 days. If the cluster has been silent for longer: in
 * the 7 days before its last row. Empty if the workspace has no such cluster. Reads the timestamps first, by
 * the primary key alone, because rows are wide and kept for over a year.
 */
export async function newestSections(
  store: Store,
  of: ClusterOf,
  nowMs: number,
): Promise<readonly StoredRow[]> {
  const recent = await newestSlots(store, of, nowMs - recentMs);
  const slots = recent.length > 0 ? recent : await lastSlots(store, of, nowMs - recentMs);
  return slots.length === 0 ? [] : firstParts(store, of, slots);
}

interface SectionSlot {
  readonly section: string;
  readonly slot_ms: number | string;
}

const newestSlots = (store: Store, of: ClusterOf, since: number): Promise<readonly SectionSlot[]> =>
  store.query<SectionSlot>(
    `SELECT section, toUnixTimestamp64Milli(max(slot)) AS slot_ms FROM telltale.cluster_overview
     WHERE ${ofCluster} AND slot > fromUnixTimestamp64Milli({since:Int64}) GROUP BY section`,
    { ...of, since },
  );

const dayMs = 86_400_000;
const recentMs = 7 * dayMs;
/** How long the table keeps its rows. */
const keptMs = 400 * dayMs;
const stepMs = 30 * dayMs;

/** Searches back a month at a time: a cluster's newest slot can only be found by reading its slots. */
async function lastSlots(store: Store, of: ClusterOf, before: number): Promise<readonly SectionSlot[]> {
  if (!(await isKnown(store, of))) return [];
  for (let until = before; until > before - keptMs; until -= stepMs) {
    const [last] = await store.query<{ readonly slot_ms: number | string }>(
      `SELECT toUnixTimestamp64Milli(max(slot)) AS slot_ms FROM telltale.cluster_overview
       WHERE ${ofCluster} AND slot > fromUnixTimestamp64Milli({since:Int64}) AND slot <= fromUnixTimestamp64Milli({until:Int64})
       HAVING count() > 0`,
      { ...of, since: until - stepMs, until },
    );
    if (last !== undefined) return newestSlots(store, of, Number(last.slot_ms) - recentMs);
  }
  return [];
}

/**
 * The first part's row of each section's slot. One query, because planning so many columns takes most of its
 * time.
 */
const firstParts = (
  store: Store,
  of: ClusterOf,
  slots: readonly SectionSlot[],
): Promise<readonly StoredRow[]> =>
  store.query<StoredRow>(
    `SELECT *, toUnixTimestamp64Milli(slot) AS slot_ms FROM telltale.cluster_overview
     WHERE ${ofCluster} AND (section, slot) IN (
       SELECT wanted.1, fromUnixTimestamp64Milli(wanted.2)
       FROM (SELECT arrayJoin(arrayZip({sections:Array(String)}, {slots:Array(Int64)})) AS wanted))
     ORDER BY section, part LIMIT 1 BY section`,
    {
      ...of,
      sections: slots.map(({ section }) => section),
      slots: slots.map(({ slot_ms }) => Number(slot_ms)),
    },
  );

export async function isKnown(store: Store, of: ClusterOf): Promise<boolean> {
  const found = await store.query(
    `SELECT 1 AS found FROM telltale.cluster_overview WHERE ${ofCluster} LIMIT 1`,
    { ...of },
  );
  return found.length > 0;
}
