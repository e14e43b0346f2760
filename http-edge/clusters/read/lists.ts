import { indexColumns } from '../../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../../schemas/cluster-rows/node-columns.js';
import { recoveryColumns } from '../../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../../schemas/cluster-rows/task-columns.js';
import type { ClusterList, ClusterOf } from '../cluster-reader.js';
import type { InSnapshot } from '../cursors.js';
import type { ListFilter } from '../filters.js';
import { refuseOutlived, type Page } from '../page.js';
import { selected, viewOfRow } from './row-view.js';
import { isKnown, lastSnapshot } from './sections.js';
import { isStale } from './staleness.js';
import { isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

interface List {
  /** The section whose snapshots the list shows. */
  readonly section: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The default order. */
  readonly order: string;
  readonly sorts: Readonly<Record<string, string>>;
}

const highest = (column: string): string => `${column} DESC NULLS LAST`;

const lists: Readonly<Record<ClusterList, List>> = {
  nodes: {
    ...{ section: 'nodes', table: 'cluster_nodes', columns: nodeColumns, order: 'name, node_id' },
    sorts: {
      heap: highest('heap_used_percent'),
      disk: highest('fs_used_ratio'),
      cpu: highest('process_cpu_percent'),
      queries: highest('queries_per_second'),
      query_latency: highest('query_latency_ms'),
    },
  },
  indices: {
    ...{ section: 'indices', table: 'cluster_indices', columns: indexColumns },
    // Largest first, because operators look for those.
    order: `${highest('store_bytes')}, \`index\``,
    sorts: {
      name: '`index`',
      docs: highest('docs_count'),
      queries: highest('queries_per_second'),
      query_latency: highest('query_latency_ms'),
      indexed: highest('indexed_per_second'),
      indexing_latency: highest('indexing_latency_ms'),
    },
  },
  shards: {
    ...{ section: 'shards', table: 'cluster_shards', columns: shardColumns },
    // Shards that need attention first.
    order:
      "indexOf(['UNASSIGNED', 'INITIALIZING', 'RELOCATING', 'STARTED'], assumeNotNull(state)), state = 'UNASSIGNED' AND NOT `primary`, `index`, shard, `primary` DESC, node_id",
    sorts: {},
  },
  tasks: {
    ...{ section: 'tasks', table: 'cluster_tasks', columns: taskColumns },
    ...{ order: `${highest('running_ms')}, task_id`, sorts: {} },
  },
  recoveries: {
    ...{ section: 'recovery', table: 'cluster_recoveries', columns: recoveryColumns },
    ...{ order: `${highest('total_time_ms')}, \`index\`, shard`, sorts: {} },
  },
};

const pendingTasks: List = {
  ...lists.tasks,
  ...{ section: 'pending_tasks', order: `${highest('queued_ms')}, insert_order` },
};

/**
 * The rows of a list in the last whole snapshot, a page at a time. Rejects with the problem `invalid` if the
 * cursor's snapshot is no longer stored.
 */
export async function readList(
  store: Store,
  of: ClusterOf,
  list: ClusterList,
  page: Page<InSnapshot>,
  filter: ListFilter,
  nowMs: number,
): Promise<object | undefined> {
  const { sort = '', pending, ...conditions } = filter;
  const { section, table, columns, order, sorts } = pending === undefined ? lists[list] : pendingTasks;
  const snapshot = await lastSnapshot(store, of, section, table, page.after?.slot);
  if (snapshot === undefined) {
    if (!(await isKnown(store, of))) return undefined;
    return page.after === undefined ? neverCollected(of, list) : refuseOutlived();
  }
  const offset = page.after?.offset ?? 0;
  const where = [
    ...[ofCluster, `section = '${section}'`, 'slot = fromUnixTimestamp64Milli({slot:Int64})'],
    ...conditionsOf(conditions),
  ].join(' AND ');
  const parameters = { ...of, ...conditions, slot: snapshot.slot };
  const sorted = sorts[sort] === undefined ? order : `${sorts[sort]}, ${order}`;
  // Rows can differ only in their offset, as two unassigned replicas do.
  const rows = await store.query<StoredRow>(
    `SELECT ${selected(columns)} FROM telltale.${table}
     WHERE ${where}
     ORDER BY ${sorted}, _partition, _offset, _index LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...parameters, limit: page.limit, offset },
  );
  const total =
    Object.keys(conditions).length === 0 ? snapshot.items : await countOf(store, table, where, parameters);
  const behind = offset + rows.length;
  return {
    cluster_uuid: of.uuid,
    as_of: isoOfMillis(snapshot.slot),
    stale: isStale(section, snapshot.slot, snapshot.intervalSeconds, nowMs),
    taken_at: snapshot.takenAt,
    partial: snapshot.partial,
    unavailable: snapshot.unavailable,
    total,
    in_cluster: snapshot.inCluster,
    cut: snapshot.cut ?? cutOf(section, snapshot),
    [list]: rows.map((row) => viewOfRow(row, columns)),
    next: behind < total ? page.cursors.write({ slot: snapshot.slot, offset: behind }) : null,
  };
}

/** Sections for which the agent counts everything that the cluster has, not only what it lists. */
const countsAll: ReadonlySet<string> = new Set(['tasks', 'pending_tasks', 'recovery']);

/** How many items exceed the agent's limit, if its snapshots don't say so themselves. */
function cutOf(
  section: string,
  { items, inCluster }: { readonly items: number; readonly inCluster: number | null },
): number | null {
  return inCluster !== null && countsAll.has(section) ? Math.max(0, inCluster - items) : null;
}

type Conditions = Omit<ListFilter, 'sort' | 'pending'>;

const conditionOf: Readonly<Record<keyof Conditions, string>> = {
  state: 'state = {state:String}',
  prefix: 'startsWith(`index`, {prefix:String})',
  role: 'has(roles, {role:String})',
  health: 'health = {health:String}',
  slow: "(ifNull(slow_search, false) OR ifNull(slow_indexing, false)) = ({slow:String} = 'true')",
  index: '`index` = {index:String}',
  node: 'node = {node:String}',
};

const conditionsOf = (conditions: Conditions): readonly string[] =>
  (Object.keys(conditions) as (keyof Conditions)[]).map((name) => conditionOf[name]);

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

export function neverCollected(of: ClusterOf, list: ClusterList | 'data_streams'): object {
  return {
    cluster_uuid: of.uuid,
    as_of: null,
    stale: true,
    taken_at: null,
    partial: false,
    unavailable: {
      '*': `No ${list.replace('_', ' ')} were collected in the last 7 days; the cluster's \`sections\` say why.`,
    },
    total: 0,
    in_cluster: null,
    cut: null,
    [list]: [],
    next: null,
  };
}
