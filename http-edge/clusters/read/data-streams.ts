import { lastInstant } from '../../../schemas/snapshots/fields.js';
import type { ClusterOf } from '../cluster-reader.js';
import type { InSnapshot } from '../cursors.js';
import { refuseOutlived, type Page } from '../page.js';
import { neverCollected } from './lists.js';
import { isKnown, lastWholeSlot } from './sections.js';
import { isStale } from './staleness.js';
import { isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

/** Data streams have no table of their own: the overview's rows carry them as they were sent. */
const inSlot = `telltale.cluster_overview
  WHERE ${ofCluster} AND section = 'data_streams' AND slot = fromUnixTimestamp64Milli({slot:Int64})`;

const stream =
  'Tuple(data_stream String, backing_indices Nullable(Float64), store_bytes Nullable(Float64), newest_document_at Nullable(Int64))';

/** The data streams of the last whole snapshot, the largest first, a page at a time. */
export async function readDataStreams(
  store: Store,
  of: ClusterOf,
  page: Page<InSnapshot>,
  nowMs: number,
): Promise<object | undefined> {
  const snapshot = await lastWholeSlot(store, of, 'data_streams', page.after?.slot);
  if (snapshot === undefined) {
    if (!(await isKnown(store, of))) return undefined;
    return page.after === undefined ? neverCollected(of, 'data_streams') : refuseOutlived();
  }
  const offset = page.after?.offset ?? 0;
  const parameters = { ...of, slot: snapshot.slot, limit: page.limit, offset };
  const [rows, [counted = {}]] = await Promise.all([
    store.query<StoredRow>(
      `SELECT each.data_stream AS data_stream, each.backing_indices AS backing_indices, each.store_bytes AS store_bytes,
          each.newest_document_at AS newest_document_at
       FROM (SELECT arrayJoin(JSONExtract(ifNull(details, ''), 'data_streams', 'Array(${stream})')) AS each FROM ${inSlot})
       ORDER BY store_bytes DESC NULLS LAST, data_stream LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      parameters,
    ),
    store.query<StoredRow>(
      `SELECT max(data_streams) AS in_cluster, max(JSONExtract(ifNull(details, ''), 'data_streams_cut', 'Nullable(Float64)')) AS cut
       FROM ${inSlot}`,
      parameters,
    ),
  ]);
  const behind = offset + rows.length;
  return {
    cluster_uuid: of.uuid,
    as_of: isoOfMillis(snapshot.slot),
    stale: isStale('data_streams', snapshot.slot, snapshot.intervalSeconds, nowMs),
    taken_at: snapshot.takenAt,
    partial: snapshot.partial,
    unavailable: snapshot.unavailable,
    total: snapshot.items,
    in_cluster: counted['in_cluster'] ?? null,
    cut: counted['cut'] ?? null,
    data_streams: rows.map(viewOfStream),
    next: behind < snapshot.items ? page.cursors.write({ slot: snapshot.slot, offset: behind }) : null,
  };
}

function viewOfStream(row: StoredRow): object {
  const newest = row['newest_document_at'];
  return {
    data_stream: row['data_stream'],
    backing_indices: row['backing_indices'] ?? null,
    store_bytes: row['store_bytes'] ?? null,
    // Agents of earlier versions sent any timestamp that a document had.
    newest_document_at: newest === null || Number(newest) > lastInstant ? null : isoOfMillis(Number(newest)),
  };
}
