import {
  listedCharacters,
  slowOperationAheadMs,
  slowOperationColumns,
} from '../../../schemas/slow-operations.js';
import type { ClusterOf } from '../cluster-reader.js';
import type { AfterEntry } from '../cursors.js';
import type { Page } from '../page.js';
import type { SlowQuery } from '../slow-filter.js';
import {
  readCapabilities,
  readThresholds,
  slowLogNotesOf,
  type DatedThresholds,
  type Thresholds,
} from './capabilities.js';
import { hasAnyData } from './slow-known.js';
import { shapePatterns, slowConditionsOf } from './slow-shapes.js';
import { boundsOf, inRange, iso, ofCluster, type Store, type StoredRow } from './store.js';

const selected = `SELECT toString(at) AS at_text, toUnixTimestamp64Micro(at) AS at_us, ${slowOperationColumns.map((name) => `\`${name}\``).join(', ')}
     FROM telltale.slow_operations`;
const tookUs = 'toInt64(round(took_ms * 1000))';

/** Slow-log entries, newest or slowest first, and whether there can be any. Late entries are sorted in. */
export async function readSlowOperations(
  store: Store,
  of: ClusterOf,
  page: Page<AfterEntry>,
  { sort, from, to, ...filter }: SlowQuery,
): Promise<object | undefined> {
  const bounds = boundsOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  const newest = (Date.now() + slowOperationAheadMs) * 1_000;
  const after = { at: newest, id: '', took: longestUs, ...page.after };
  const behind =
    sort === 'slowest'
      ? `(${tookUs}, toUnixTimestamp64Micro(at), id) < ({took:Int64}, {at:Int64}, {id:String})`
      : '(at < fromUnixTimestamp64Micro({at:Int64}) OR id < {id:String})';
  const rows = await store.query<StoredRow>(
    `${selected}
     WHERE ${ofCluster} AND ${inRange} AND at <= fromUnixTimestamp64Micro({newest:Int64}) AND ${behind}
       ${slowConditionsOf(filter)}
     ORDER BY ${sort === 'slowest' ? `${tookUs} DESC, ` : ''}at DESC, id DESC LIMIT 1 BY id LIMIT {limit:UInt32}`,
    {
      ...{ ...of, ...bounds, ...filter, ...(filter.shape !== undefined && shapePatterns), ...after },
      ...{ newest: sort === 'slowest' ? newest : after.at, limit: page.limit + 1 },
    },
  );
  const thresholds = await contradicted(store, of, await readThresholds(store, of));
  if (rows.length === 0 && thresholds === null && !(await hasAnyData(store, of))) return undefined;
  const shown = rows.slice(0, page.limit);
  const notes = slowLogNotesOf(await readCapabilities(store, of, Date.now()));
  const isAll =
    page.after === undefined && from === undefined && to === undefined && Object.keys(filter).length === 0;
  return {
    cluster_uuid: of.uuid,
    thresholds: thresholds ?? unknown,
    notice: noticeOf(thresholds ?? unknown, isAll && rows.length === 0 ? notes : []),
    notes,
    slow_operations: shown.map(listedEntry),
    next: rows.length > page.limit ? cursorAfter(page, shown.at(-1), sort) : null,
  };
}

/** One entry, by its id. Each record that has it has a row, and all of these rows are equal. */
export async function readSlowOperation(
  store: Store,
  of: ClusterOf,
  id: string,
): Promise<object | undefined> {
  const [row] = await store.query<StoredRow>(
    `${selected} PREWHERE ${ofCluster} AND id = {id:String} ORDER BY at LIMIT 1`,
    { ...of, id },
  );
  return row && { cluster_uuid: of.uuid, slow_operation: viewOfEntry(row) };
}

/** Texts are shortened: a page of long ones would be megabytes, and a reader opens only one. */
function listedEntry(row: StoredRow): object {
  const { query, source, ...entry } = viewOfEntry(row);
  return { ...entry, query: beginningOf(query), source: beginningOf(source) };
}

/** A surrogate pair cut in half at the end is dropped. */
const beginningOf = (text: unknown): unknown =>
  typeof text === 'string' ? text.slice(0, listedCharacters).replace(/[\uD800-\uDBFF]$/, '') : text;

/** Rows of earlier versions have 0 if there is no query: a false figure for an indexed document. */
export function viewOfEntry(row: StoredRow): Readonly<Record<string, unknown>> {
  const told = Object.fromEntries(slowOperationColumns.map((column) => [column, row[column] ?? null]));
  return {
    at: iso(row['at_text']),
    ...told,
    query_length: row['kind'] === 'search' ? told['query_length'] : null,
  };
}

/** Corrects thresholds that are off if an entry was logged after they were read: then one of them is set. */
async function contradicted(
  store: Store,
  of: ClusterOf,
  thresholds: DatedThresholds | null,
): Promise<DatedThresholds | null> {
  if (
    thresholds === null ||
    thresholds.as_of === null ||
    (thresholds.search !== false && thresholds.indexing !== false)
  )
    return thresholds;
  const found = await store.query<{ readonly kind: string }>(
    `SELECT DISTINCT kind FROM telltale.slow_operations
     WHERE ${ofCluster} AND at > fromUnixTimestamp64Milli({looked:Int64})`,
    { ...of, looked: Date.parse(thresholds.as_of) },
  );
  const has = (kind: string): boolean => found.some((each) => each.kind === kind);
  return {
    as_of: thresholds.as_of,
    search: has('search') || thresholds.search,
    indexing: has('indexing') || thresholds.indexing,
  };
}

function cursorAfter(
  { cursors }: Page<AfterEntry>,
  last: StoredRow | undefined,
  sort: SlowQuery['sort'],
): string | null {
  if (last === undefined) return null;
  const position = { at: Number(last['at_us']), id: String(last['id']) };
  return cursors.write(
    sort === 'slowest' ? { ...position, took: Math.round(Number(last['took_ms']) * 1_000) } : position,
  );
}

/** Longer than any operation takes, in microseconds. */
const longestUs = 1e15;

const unknown: DatedThresholds = { as_of: null, search: null, indexing: null };

/**
 * An empty list looks like a fast cluster. The notice says if the cluster might log nothing, or if no agent
 * might be able to read its logs.
 */
function noticeOf({ search, indexing }: Thresholds, notes: readonly string[]): string | null {
  if (search === false && indexing === false)
    return 'No slow-log threshold is configured on any index, so the cluster logs no slow operation. Set one to collect them, for example index.search.slowlog.threshold.query.warn.';
  if (search === null && indexing === null)
    return 'It is not known whether a slow-log threshold is configured.';
  return notes.length === 0 ? null : `No slow operation has arrived, and the agents say: ${notes.join('; ')}`;
}
