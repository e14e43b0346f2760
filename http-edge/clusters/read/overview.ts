import { healthColumns, overviewColumns } from '../../../schemas/cluster-rows/overview-columns.js';
import { trafficFigures } from '../../../schemas/cluster-rows/traffic-figures.js';
import { reportFor } from '../../../schemas/snapshots/capability-report.js';
import { watermarksSection } from '../../../schemas/snapshots/topology-section.js';
import type { ClusterOf } from '../cluster-reader.js';
import type { AfterCluster } from '../cursors.js';
import type { Page } from '../page.js';
import { notesOf, readCapabilities, type Capabilities } from './capabilities.js';
import { lastHealths } from './health.js';
import { viewOfRow } from './row-view.js';
import { lastSnapshot, newestSections, type LastSnapshot } from './sections.js';
import { isStale, standingOf, type Standing } from './staleness.js';
import { iso, isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

/** The clusters of a workspace, with the score of each. */
export async function readClusters(
  store: Store,
  workspace: string,
  page: Page<AfterCluster>,
  nowMs: number,
): Promise<object> {
  const rows = await store.query<StoredRow>(
    `SELECT cluster_uuid, argMax(cluster_name, taken_at) AS last_name, argMax(cluster_version, taken_at) AS last_version,
        toString(max(taken_at)) AS seen_at
     FROM telltale.cluster_overview
     WHERE workspace = {workspace:String} AND cluster_uuid > {after:String} AND slot > now() - INTERVAL 30 DAY
     GROUP BY cluster_uuid ORDER BY cluster_uuid LIMIT {limit:UInt32}`,
    { workspace, after: page.after?.uuid ?? '', limit: page.limit + 1 },
  );
  const shown = rows.slice(0, page.limit);
  const uuids = shown.map((row) => String(row['cluster_uuid']));
  const healths = await lastHealths(store, workspace, uuids);
  return {
    clusters: shown.map((row) => ({
      cluster_uuid: row['cluster_uuid'],
      cluster_name: row['last_name'] ?? null,
      cluster_version: row['last_version'] ?? null,
      seen_at: iso(row['seen_at']),
      ...standingOf(healths.get(String(row['cluster_uuid'])), nowMs),
    })),
    next: rows.length > page.limit ? page.cursors.write({ uuid: uuids.at(-1) ?? '' }) : null,
  };
}

/** The health of one cluster as it is known now. */
export async function readStanding(store: Store, of: ClusterOf, nowMs: number): Promise<Standing> {
  const healths = await lastHealths(store, of.workspace, [of.uuid]);
  return standingOf(healths.get(of.uuid), nowMs);
}

const statsColumns = overviewColumns.filter(
  (column) => !['took_ms', 'items', 'details', ...healthColumns].includes(column),
);

/** One cluster: its own health, its totals, its traffic, and which sections are collected. */
export async function readCluster(store: Store, of: ClusterOf, nowMs: number): Promise<object | undefined> {
  const [sections, standing, sums] = await Promise.all([
    newestSections(store, of, nowMs),
    readStanding(store, of, nowMs),
    traffic(store, of, nowMs),
  ]);
  const [newest] = sections.toSorted((one, other) => (takenAt(one) > takenAt(other) ? -1 : 1));
  if (newest === undefined) return undefined;
  const bySection = new Map(sections.map((row) => [String(row['section']), row]));
  const lastReport = bySection.get('capabilities');
  const capabilities = lastReport === undefined ? [] : await readCapabilities(store, of, slotOf(lastReport));
  return {
    cluster_uuid: of.uuid,
    cluster_name: newest['cluster_name'] ?? null,
    cluster_version: newest['cluster_version'] ?? null,
    seen_at: iso(newest['taken_at']),
    ...standing,
    health: healthOf(bySection.get('health'), nowMs),
    stats: dated(bySection.get('cluster_stats'), nowMs, (row) => viewOfRow(row, statsColumns)),
    traffic: sums,
    watermarks: dated(bySection.get('watermarks'), nowMs, watermarksOf),
    sections: sectionViews(bySection, capabilities, nowMs),
    notes: notesOf(capabilities),
  };
}

const takenAt = (row: StoredRow): string => String(row['taken_at']);

const slotOf = (row: StoredRow): number => Number(row['slot_ms']);

const isRowStale = (row: StoredRow, nowMs: number): boolean =>
  isStale(String(row['section']), slotOf(row), Number(row['interval_seconds']), nowMs);

/** The last values of a section, with their timestamp and whether they are stale; null if there are none. */
function dated(
  row: StoredRow | undefined,
  nowMs: number,
  view: (row: StoredRow) => object | null,
): object | null {
  const said = row === undefined ? null : view(row);
  if (row === undefined || said === null) return null;
  return { as_of: isoOfMillis(slotOf(row)), stale: isRowStale(row, nowMs), ...said };
}

/**
 * Counts are shown with their date, however old they are. A status is not: an old one would be mistaken for
 * the current one.
 */
const healthOf = (row: StoredRow | undefined, nowMs: number): object | null =>
  dated(row, nowMs, (last) => {
    const view = viewOfRow(last, healthColumns);
    return isRowStale(last, nowMs) ? { ...view, status: null } : view;
  });

/** Has every field that is known today, even if an older agent sent fewer. */
function watermarksOf({ details }: StoredRow): object | null {
  const parsed = watermarksSection.safeParse(typeof details === 'string' ? JSON.parse(details) : null);
  return parsed.success ? parsed.data : null;
}

/**
 * Each section's last snapshot. It is late three intervals after its own interval ends. The reason is the
 * agent's, if the agent gave one.
 */
function sectionViews(
  collected: ReadonlyMap<string, StoredRow>,
  capabilities: Capabilities,
  nowMs: number,
): object[] {
  const told = capabilities.flatMap(({ told: { sections = [] } }) => sections.map(({ section }) => section));
  return [...new Set([...collected.keys(), ...told])].sort().map((section) => {
    const row = collected.get(section);
    const collectors = { section: reporterOf(row), health: reporterOf(collected.get('health')) };
    const { told } = reportFor(capabilities, collectors) ?? {};
    const capability = told?.sections?.find((each) => each.section === section);
    return {
      section,
      as_of: row === undefined ? null : isoOfMillis(slotOf(row)),
      late: capability?.state !== 'off' && (row === undefined || isRowStale(row, nowMs)),
      partial: row?.['partial'] ?? false,
      state: capability?.state ?? null,
      reason: capability?.reason ?? null,
      privilege: capability?.privilege ?? null,
      unavailable: row?.['unavailable'] ?? {},
    };
  });
}

function reporterOf(row: StoredRow | undefined): string | undefined {
  const reporter = row?.['reporter'];
  return typeof reporter === 'string' ? reporter : undefined;
}

/**
 * Sums over the nodes of the last snapshot. A sum is null if a node or its figure is missing: it would be too
 * low.
 */
async function traffic(store: Store, of: ClusterOf, nowMs: number): Promise<object> {
  const nothing = Object.fromEntries(trafficFigures.map((figure) => [figure, null]));
  const snapshot = await lastSnapshot(store, of, 'nodes', 'cluster_nodes', undefined);
  if (snapshot === undefined || snapshot.items === 0)
    return {
      as_of: null,
      stale: true,
      ...nothing,
      unavailable: { '*': 'No nodes were collected in the last 7 days.' },
    };
  const sums = trafficFigures.flatMap((figure) => [
    `sum(ifNull(${figure}, 0)) AS sum_${figure}`,
    `countIf(isNull(${figure})) AS missing_${figure}`,
  ]);
  const [row = {}] = await store.query<StoredRow>(
    `SELECT ${sums.join(', ')} FROM telltale.cluster_nodes
     WHERE ${ofCluster} AND slot = fromUnixTimestamp64Milli({slot:Int64})`,
    { ...of, slot: snapshot.slot },
  );
  const unseen = unseenNodes(snapshot);
  const missing = trafficFigures.filter(
    (figure) => Number(row[`missing_${figure}`]) > 0 || unseen !== undefined,
  );
  return {
    as_of: isoOfMillis(snapshot.slot),
    stale: isStale('nodes', snapshot.slot, snapshot.intervalSeconds, nowMs),
    ...Object.fromEntries(
      trafficFigures.map((figure) => [
        figure,
        missing.includes(figure) ? null : Number(row[`sum_${figure}`]),
      ]),
    ),
    unavailable: Object.fromEntries(
      missing.map((figure) => [
        figure,
        unseen ??
          `${String(row[`missing_${figure}`])} of ${snapshot.items} nodes have no such figure; \`gap\` in their rows says why.`,
      ]),
    ),
  };
}

/** Why the rows do not cover all nodes; undefined if they do. */
function unseenNodes({ partial, cut, inCluster }: LastSnapshot): string | undefined {
  if (cut !== null && cut > 0)
    return `${cut} of ${inCluster ?? 'the'} nodes are left out (maxNodes in integration.json).`;
  return partial ? 'Some nodes did not answer.' : undefined;
}
