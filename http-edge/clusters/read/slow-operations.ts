import { slowOperationColumns } from '../../../schemas/slow-operations.js';
import type { ClusterOf } from '../cluster-reader.js';
import { afterEntry, type AfterEntry } from '../cursors.js';
import type { Page } from '../page.js';
import { newestSections } from './sections.js';
import { futureMs, iso, ofCluster, type Store, type StoredRow } from './store.js';

/** Entries of the slow logs, newest first, and whether there could be any. Late ones come in where they belong. */
export async function readSlowOperations(
  store: Store,
  of: ClusterOf,
  page: Page<AfterEntry>,
): Promise<object | undefined> {
  const from = page.from ?? { at: (Date.now() + futureMs) * 1_000, id: '' };
  const rows = await store.query<StoredRow>(
    `SELECT toString(at) AS at_text, toUnixTimestamp64Micro(at) AS at_us, ${slowOperationColumns.map((name) => `\`${name}\``).join(', ')}
     FROM telltale.slow_operations
     WHERE ${ofCluster} AND at <= fromUnixTimestamp64Micro({at:Int64})
       AND (at < fromUnixTimestamp64Micro({at:Int64}) OR id < {id:String})
     ORDER BY at DESC, id DESC LIMIT 1 BY id LIMIT {limit:UInt32}`,
    { ...of, ...from, limit: page.limit + 1 },
  );
  const sections = await newestSections(store, of);
  if (rows.length === 0 && sections.length === 0) return undefined;
  const shown = rows.slice(0, page.limit);
  return {
    cluster_uuid: of.uuid,
    ...thresholdsOf(sections),
    slow_operations: shown.map((row) => ({
      at: iso(row['at_text']),
      ...Object.fromEntries(slowOperationColumns.map((column) => [column, row[column] ?? null])),
    })),
    next: rows.length > page.limit ? cursorAfter(shown.at(-1)) : null,
  };
}

function cursorAfter(last: StoredRow | undefined): string | null {
  return last === undefined ? null : afterEntry.write({ at: Number(last['at_us']), id: String(last['id']) });
}

interface Thresholds {
  readonly search: boolean | null;
  readonly indexing: boolean | null;
}

const unknown: Thresholds = { search: null, indexing: null };

/** Without a threshold anywhere the cluster logs nothing, and an empty list would look like a fast cluster. */
function thresholdsOf(sections: readonly StoredRow[]): { thresholds: Thresholds; notice: string | null } {
  const text = sections.find((row) => row['section'] === 'capabilities')?.['details'];
  const told = (
    typeof text === 'string' ? (JSON.parse(text) as { slow_log_thresholds?: Thresholds | null }) : {}
  ).slow_log_thresholds;
  const thresholds = told ?? unknown;
  const { search, indexing } = thresholds;
  if (search === false && indexing === false) {
    return {
      thresholds,
      notice:
        'No slow-log threshold is configured on any index, so the cluster logs no slow operation. Set one to collect them, for example index.search.slowlog.threshold.query.warn.',
    };
  }
  const known = search !== null || indexing !== null;
  return {
    thresholds,
    notice: known ? null : 'Whether a slow-log threshold is configured was not collected.',
  };
}
