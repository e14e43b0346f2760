import type { ClusterOf } from '../cluster-reader.js';
import type { AfterScore } from '../cursors.js';
import type { TimeRange } from '../filters.js';
import type { Page } from '../page.js';
import { isKnown } from './sections.js';
import { boundsOf, futureMs, inRange, iso, ofCluster, type Store, type StoredRow } from './store.js';

const columns =
  'toString(at) AS at_text, toUnixTimestamp64Milli(at) AS at_ms, status, score, floored, `deductions.code`, `deductions.category`, `deductions.points`, `deductions.points_alone`, `deductions.reason`, `not_measured.what`, `not_measured.reason`';

export interface HealthView {
  readonly at: unknown;
  readonly status: unknown;
  readonly score: unknown;
  readonly floored: unknown;
  readonly deductions: readonly object[];
  readonly not_measured: readonly object[];
}

/** The score with its reasons, newest first. */
export async function readHealth(
  store: Store,
  of: ClusterOf,
  page: Page<AfterScore>,
  range: TimeRange,
): Promise<object | undefined> {
  const after = page.after ?? { at: Date.now() + futureMs, offset: 0 };
  const rows = await store.query<StoredRow>(
    `SELECT ${columns}, _offset FROM telltale.cluster_health
     WHERE ${ofCluster} AND ${inRange} AND at <= fromUnixTimestamp64Milli({at:Int64})
       AND (at < fromUnixTimestamp64Milli({at:Int64}) OR _offset < {offset:UInt64})
     ORDER BY at DESC, _offset DESC LIMIT {limit:UInt32}`,
    { ...of, ...boundsOf(range), ...after, limit: page.limit + 1 },
  );
  if (rows.length === 0 && !(await isKnown(store, of))) return undefined;
  const shown = rows.slice(0, page.limit);
  return {
    cluster_uuid: of.uuid,
    history: shown.map(viewOfHealth),
    next: rows.length > page.limit ? cursorAfter(page, shown.at(-1)) : null,
  };
}

function cursorAfter({ cursors }: Page<AfterScore>, last: StoredRow | undefined): string | null {
  return last === undefined
    ? null
    : cursors.write({ at: Number(last['at_ms']), offset: Number(last['_offset']) });
}

const ofThese =
  'workspace = {workspace:String} AND cluster_uuid IN {uuids:Array(String)} AND at > now() - INTERVAL 7 DAY';

/** The last score of each of these clusters, by uuid. */
export async function lastHealths(
  store: Store,
  workspace: string,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, HealthView>> {
  if (uuids.length === 0) return new Map();
  const rows = await store.query<StoredRow>(
    `SELECT cluster_uuid, ${columns} FROM telltale.cluster_health
     WHERE ${ofThese} AND (cluster_uuid, at) IN
       (SELECT cluster_uuid, max(at) FROM telltale.cluster_health WHERE ${ofThese} GROUP BY cluster_uuid)
     ORDER BY _offset DESC LIMIT 1 BY cluster_uuid`,
    { workspace, uuids },
  );
  return new Map(rows.map((row) => [String(row['cluster_uuid']), viewOfHealth(row)]));
}

function viewOfHealth(row: StoredRow): HealthView {
  return {
    at: iso(row['at_text']),
    status: row['status'] ?? null,
    score: row['score'] ?? null,
    floored: row['floored'],
    deductions: zipped(row, 'deductions', ['code', 'category', 'points', 'points_alone', 'reason']),
    not_measured: zipped(row, 'not_measured', ['what', 'reason']),
  };
}

function zipped(row: StoredRow, group: string, fields: readonly string[]): object[] {
  const arrays = fields.map((field) => row[`${group}.${field}`] as readonly unknown[]);
  return (arrays[0] ?? []).map((_, index) =>
    Object.fromEntries(fields.map((field, at) => [field, arrays[at]?.[index] ?? null])),
  );
}
