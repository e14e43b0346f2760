import { healthColumns, overviewColumns } from '../../../schemas/cluster-rows/overview-columns.js';
import { trafficFigures } from '../../../schemas/cluster-rows/traffic-figures.js';
import { watermarksSection } from '../../../schemas/snapshots/topology-section.js';
import type { ClusterOf } from '../cluster-reader.js';
import { afterCluster, type AfterCluster } from '../cursors.js';
import type { Page } from '../page.js';
import { lastHealths } from './health.js';
import { viewOfRow } from './row-view.js';
import { lastSnapshot, newestSections } from './sections.js';
import { iso, isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

/** The clusters of a workspace, with the score of each. */
export async function readClusters(
  store: Store,
  workspace: string,
  page: Page<AfterCluster>,
): Promise<object> {
  const rows = await store.query<StoredRow>(
    `SELECT cluster_uuid, argMax(cluster_name, taken_at) AS last_name, argMax(cluster_version, taken_at) AS last_version,
        toString(max(taken_at)) AS seen_at
     FROM telltale.cluster_overview
     WHERE workspace = {workspace:String} AND cluster_uuid > {after:String} AND slot > now() - INTERVAL 30 DAY
     GROUP BY cluster_uuid ORDER BY cluster_uuid LIMIT {limit:UInt32}`,
    { workspace, after: page.from?.uuid ?? '', limit: page.limit + 1 },
  );
  const shown = rows.slice(0, page.limit);
  const uuids = shown.map((row) => String(row['cluster_uuid']));
  const healths = await lastHealths(store, workspace, uuids);
  return {
    clusters: shown.map((row) => {
      const health = healths.get(String(row['cluster_uuid']));
      return {
        cluster_uuid: row['cluster_uuid'],
        cluster_name: row['last_name'] ?? null,
        cluster_version: row['last_version'] ?? null,
        seen_at: iso(row['seen_at']),
        status: health?.['status'] ?? null,
        score: health?.['score'] ?? null,
        scored_at: health?.['at'] ?? null,
      };
    }),
    next: rows.length > page.limit ? afterCluster.write({ uuid: uuids.at(-1) ?? '' }) : null,
  };
}

const statsColumns = overviewColumns.filter(
  (column) => !['took_ms', 'items', 'details', ...healthColumns].includes(column),
);

/** One cluster: its own health, its totals, its traffic, and what of it is collected. */
export async function readCluster(store: Store, of: ClusterOf, nowMs: number): Promise<object | undefined> {
  const sections = await newestSections(store, of);
  const [newest] = sections.toSorted((one, other) => slotOf(other) - slotOf(one));
  if (newest === undefined) return undefined;
  const bySection = new Map(sections.map((row) => [String(row['section']), row]));
  const health = bySection.get('health');
  const stats = bySection.get('cluster_stats');
  const scored = (await lastHealths(store, of.workspace, [of.uuid])).get(of.uuid);
  return {
    cluster_uuid: of.uuid,
    cluster_name: newest['cluster_name'] ?? null,
    cluster_version: newest['cluster_version'] ?? null,
    seen_at: iso(newest['taken_at']),
    score: scored?.['score'] ?? null,
    scored_at: scored?.['at'] ?? null,
    health: health === undefined ? null : viewOfRow(health, healthColumns),
    stats: stats === undefined ? null : viewOfRow(stats, statsColumns),
    traffic: await traffic(store, of),
    watermarks: watermarksOf(bySection.get('watermarks')),
    sections: sectionViews(sections, nowMs),
  };
}

const slotOf = (row: StoredRow): number => Number(row['slot_ms']);

function details(row: StoredRow | undefined): unknown {
  const text = row?.['details'];
  return typeof text === 'string' ? JSON.parse(text) : null;
}

/** With every field of today, also where an older agent knew fewer. */
function watermarksOf(row: StoredRow | undefined): object | null {
  const parsed = watermarksSection.safeParse(details(row));
  return parsed.success ? parsed.data : null;
}

/** Sections that are looked at in every cycle, and sent only when they say something new, or after so long. */
const saidAgainMs: Readonly<Record<string, number>> = {
  allocation_explain: 300_000,
  capabilities: 900_000,
};

/** Each section's last snapshot; late where three of its intervals have passed, and why, as far as the agent says. */
function sectionViews(sections: readonly StoredRow[], nowMs: number): object[] {
  const capabilities = details(sections.find((row) => row['section'] === 'capabilities')) as {
    sections?: readonly { section: string; state: string; reason: string | null; privilege: string | null }[];
  } | null;
  const states = new Map(capabilities?.sections?.map((each) => [each.section, each]));
  const collected = new Map(sections.map((row) => [String(row['section']), row]));
  return [...new Set([...collected.keys(), ...states.keys()])].sort().map((section) => {
    const row = collected.get(section);
    const state = states.get(section);
    const intervalMs = Number(row?.['interval_seconds'] ?? 0) * 1_000;
    const longestMs = 4 * intervalMs + (saidAgainMs[section] ?? 0);
    return {
      section,
      as_of: row === undefined ? null : isoOfMillis(slotOf(row)),
      late: row === undefined || nowMs - slotOf(row) > longestMs,
      partial: row?.['partial'] ?? false,
      state: state?.state ?? null,
      reason: state?.reason ?? null,
      privilege: state?.privilege ?? null,
      unavailable: row?.['unavailable'] ?? {},
    };
  });
}

/** Sums over the nodes of the last snapshot. One node without a figure leaves the sum null: it would be too low. */
async function traffic(store: Store, of: ClusterOf): Promise<object> {
  const nothing = Object.fromEntries(trafficFigures.map((figure) => [figure, null]));
  const snapshot = await lastSnapshot(store, of, 'nodes', 'cluster_nodes', undefined);
  if (snapshot === undefined || snapshot.items === 0)
    return { as_of: null, ...nothing, unavailable: { '*': 'No nodes were collected in the last 7 days.' } };
  const sums = trafficFigures.flatMap((figure) => [
    `sum(ifNull(${figure}, 0)) AS sum_${figure}`,
    `countIf(isNull(${figure})) AS missing_${figure}`,
  ]);
  const [row = {}] = await store.query<StoredRow>(
    `SELECT ${sums.join(', ')} FROM telltale.cluster_nodes
     WHERE ${ofCluster} AND slot = fromUnixTimestamp64Milli({slot:Int64})`,
    { ...of, slot: snapshot.slot },
  );
  const missing = trafficFigures.filter((figure) => Number(row[`missing_${figure}`]) > 0 || snapshot.partial);
  return {
    as_of: isoOfMillis(snapshot.slot),
    ...Object.fromEntries(
      trafficFigures.map((figure) => [
        figure,
        missing.includes(figure) ? null : Number(row[`sum_${figure}`]),
      ]),
    ),
    unavailable: Object.fromEntries(
      missing.map((figure) => [figure, reasonOf(Number(row[`missing_${figure}`]), snapshot.items)]),
    ),
  };
}

const reasonOf = (missing: number, nodes: number): string =>
  missing === 0
    ? 'Some nodes did not answer.'
    : `${missing} of ${nodes} nodes have no such figure; \`gap\` in their rows says why.`;
