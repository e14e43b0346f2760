import { indexColumns } from '../../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../../schemas/cluster-rows/node-columns.js';
import { shardColumns } from '../../../schemas/cluster-rows/shard-columns.js';
import type { ClusterList, ClusterOf } from '../cluster-reader.js';
import type { InSnapshot } from '../cursors.js';
import type { ListFilter } from '../filters.js';
import { refuseOutlived, type Page } from '../page.js';
import { selected, viewOfRow } from './row-view.js';
import { isKnown, lastSnapshot } from './sections.js';
import { isStale } from './staleness.js';
import { isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

const lists: Readonly<
  Record<ClusterList, { readonly table: string; readonly columns: readonly string[]; readonly order: string }>
> = {
  nodes: { table: 'cluster_nodes', columns: nodeColumns, order: 'name, node_id' },
  // The largest first, as an operator looks for them.
  indices: { table: 'cluster_indices', columns: indexColumns, order: 'store_bytes DESC NULLS LAST, `index`' },
  // Those that need somebody first.
  shards: {
    table: 'cluster_shards',
    columns: shardColumns,
    order:
      "indexOf(['UNASSIGNED', 'INITIALIZING', 'RELOCATING', 'STARTED'], assumeNotNull(state)), `index`, shard, `primary` DESC, node_id",
  },
};

/**
 * Nodes, indices or shards of the last whole snapshot, a page at a time. Rejects with the problem `invalid` where a page
 * goes on in a snapshot that is not there any more.
 */
export async function readList(
  store: Store,
  of: ClusterOf,
  list: ClusterList,
  page: Page<InSnapshot>,
  filter: ListFilter,
  nowMs: number,
): Promise<object | undefined> {
  const { table, columns, order } = lists[list];
  const snapshot = await lastSnapshot(store, of, list, table, page.after?.slot);
  if (snapshot === undefined) {
    if (!(await isKnown(store, of))) return undefined;
    return page.after === undefined ? neverCollected(of, list) : refuseOutlived();
  }
  const offset = page.after?.offset ?? 0;
  const where = [ofCluster, 'slot = fromUnixTimestamp64Milli({slot:Int64})', ...conditionsOf(filter)].join(
    ' AND ',
  );
  const parameters = { ...of, ...filter, slot: snapshot.slot };
  // Rows may be alike but for their place in the topic: two replicas that are nowhere.
  const rows = await store.query<StoredRow>(
    `SELECT ${selected(columns)} FROM telltale.${table}
     WHERE ${where}
     ORDER BY ${order}, _partition, _offset, _index LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...parameters, limit: page.limit, offset },
  );
  const total =
    Object.keys(filter).length === 0 ? snapshot.items : await countOf(store, table, where, parameters);
  const behind = offset + rows.length;
  return {
    cluster_uuid: of.uuid,
    as_of: isoOfMillis(snapshot.slot),
    stale: isStale(list, snapshot.slot, snapshot.intervalSeconds, nowMs),
    taken_at: snapshot.takenAt,
    partial: snapshot.partial,
    unavailable: snapshot.unavailable,
    total,
    in_cluster: snapshot.inCluster,
    cut: snapshot.cut,
    [list]: rows.map((row) => viewOfRow(row, columns)),
    next: behind < total ? page.cursors.write({ slot: snapshot.slot, offset: behind }) : null,
  };
}

const conditions: Readonly<Record<keyof ListFilter, string>> = {
  state: 'state = {state:String}',
  prefix: 'startsWith(`index`, {prefix:String})',
};

const conditionsOf = (filter: ListFilter): readonly string[] =>
  (Object.keys(filter) as (keyof ListFilter)[]).map((name) => conditions[name]);

async function countOf(
  store: Store,
  table: string,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<number> {
  const [counted] = await store.query<{ readonly rows: number | string }>(
    `SELECT count() AS rows FROM telltale.${table} WHERE ${where}`,
    parameters,
  );
  return Number(counted?.rows ?? 0);
}

function neverCollected(of: ClusterOf, list: ClusterList): object {
  return {
    cluster_uuid: of.uuid,
    as_of: null,
    stale: true,
    taken_at: null,
    partial: false,
    unavailable: { '*': `No ${list} were collected in the last 7 days; the cluster's \`sections\` say why.` },
    total: 0,
    in_cluster: null,
    cut: null,
    [list]: [],
    next: null,
  };
}
