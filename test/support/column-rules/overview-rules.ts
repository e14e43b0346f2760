import { healthColumns, overviewColumns } from '../../../schemas/cluster-rows/overview-columns.js';
import type { SectionName } from '../../../schemas/snapshots.js';
import { at } from '../cluster-answers.js';
import type { Bound, ColumnRules, Counterpart } from '../same-columns.js';
import { amount, rising } from './bounds.js';
import { below, each } from './counterparts.js';
import { falseZero } from './operation-rules.js';

const isUnassignedPrimary = (row: unknown): boolean =>
  at(row, 'state') === 'UNASSIGNED' && at(row, 'prirep') === 'p';

/** If nothing is pending, nothing waits. */
const waitsTogether: Bound = (row) =>
  row['pending_tasks_max_wait_ms'] === 0 || Number(row['pending_tasks']) > 0;

/** For the row of the section `health`. */
export const healthRules: ColumnRules = {
  same: {
    ...below(({ health }) => health, {
      status: 'status',
      nodes: 'number_of_nodes',
      data_nodes: 'number_of_data_nodes',
      active_primaries: 'active_primary_shards',
      active_shards: 'active_shards',
      relocating_shards: 'relocating_shards',
      initializing_shards: 'initializing_shards',
      unassigned_shards: 'unassigned_shards',
      delayed_unassigned_shards: 'delayed_unassigned_shards',
      active_shards_percent: 'active_shards_percent_as_number',
      in_flight_fetches: 'number_of_in_flight_fetch',
    }),
    no_master: ({ master }) => master === undefined,
    unassigned_primaries: ({ shards }) => shards.filter(isUnassignedPrimary).length,
    master_node_id: ({ master }) => at(master, 'id'),
    master_node: ({ master }) => at(master, 'node'),
  },
  within: {
    pending_tasks: amount('pending_tasks'),
    pending_tasks_max_wait_ms: amount('pending_tasks_max_wait_ms'),
  },
  consistent: { 'pending tasks and their wait': waitsTogether },
  without: {},
};

/** For the row of the section `cluster_stats`, which shares only the column `nodes` with another section. */
export const statsColumns: readonly string[] = overviewColumns.filter(
  (column) => column === 'nodes' || !(healthColumns as readonly string[]).includes(column),
);

export const statsRules: ColumnRules = {
  same: {
    ...below(({ stats }) => at(stats, 'indices'), {
      indices: 'count',
      shards: 'shards.total',
      primaries: 'shards.primaries',
      docs_count: 'docs.count',
      docs_deleted: 'docs.deleted',
      store_bytes: 'store.size_in_bytes',
      data_set_bytes: 'store.total_data_set_size_in_bytes',
      fielddata_bytes: 'fielddata.memory_size_in_bytes',
      query_cache_bytes: 'query_cache.memory_size_in_bytes',
      completion_bytes: 'completion.size_in_bytes',
      segments_count: 'segments.count',
      segments_memory_bytes: 'segments.memory_in_bytes',
    }),
    ...below(({ stats }) => at(stats, 'nodes'), {
      nodes: 'count.total',
      versions: 'versions',
      processors: 'os.available_processors',
    }),
    nodes_failed: ({ stats }) => at(stats, '_nodes', 'failed'),
    nodes_by_role: ({ stats }) =>
      Object.fromEntries(
        Object.entries(at(stats, 'nodes', 'count') as object).filter(([role]) => role !== 'total'),
      ),
  },
  // Sums over all nodes, which are those of the only node.
  moved: {
    jvm: below(({ node }) => node, {
      heap_used_bytes: 'jvm.mem.heap_used_in_bytes',
      heap_max_bytes: 'jvm.mem.heap_max_in_bytes',
      threads: 'jvm.threads.count',
      max_uptime_ms: 'jvm.uptime_in_millis',
    }),
    os: below(({ node }) => node, {
      memory_total_bytes: 'os.mem.total_in_bytes',
      memory_used_bytes: 'os.mem.used_in_bytes',
    }),
    fs: below(({ node }) => node, {
      fs_total_bytes: 'fs.total.total_in_bytes',
      fs_free_bytes: 'fs.total.free_in_bytes',
      fs_available_bytes: 'fs.total.available_in_bytes',
    }),
  },
  consistent: {
    'heap used, max': rising('heap_used_bytes', 'heap_max_bytes'),
    'memory used, total': rising('memory_used_bytes', 'memory_total_bytes'),
    'disk available, free, total': rising('fs_available_bytes', 'fs_free_bytes', 'fs_total_bytes'),
  },
  without: {
    ...each(
      ['docs_growth_per_second', 'store_growth_bytes_per_second', 'growth_gap'],
      'derived from two snapshots: same-rates.ts holds it to them',
    ),
    ...each(
      [
        'items',
        'nodes_cut',
        'shards_cut',
        'tasks',
        'recoveries',
        'data_streams',
        'backing_indices',
        'details',
      ],
      'of rows of other sections',
    ),
    took_ms: 'how long the agent waited',
  },
  absent: (major) =>
    major < 8 ? {} : { segments_memory_bytes: { field: 'segments_memory_bytes', reason: falseZero } },
};

const inState =
  (state: string): Counterpart =>
  ({ shards }) =>
    shards.filter((row) => at(row, 'state') === state).length;

const one: Counterpart = () => 1;
const zero: Counterpart = () => 0;

/** The objects that the rows of the other sections count. */
export const countsOf: Readonly<Partial<Record<SectionName, Readonly<Record<string, Counterpart>>>>> = {
  nodes: { items: one, nodes: one, nodes_failed: zero, nodes_cut: zero },
  topology: {
    items: one,
    nodes: one,
    data_nodes: one,
    nodes_failed: zero,
    nodes_cut: zero,
    master_node_id: ({ nodeId }) => nodeId,
  },
  // those that the role may list, and all in the cluster
  indices: { items: ({ indices }) => indices, indices: ({ stats }) => at(stats, 'indices', 'count') },
  shards: {
    items: ({ shards }) => shards.length,
    shards: ({ shards }) => shards.length,
    active_shards: inState('STARTED'),
    relocating_shards: zero,
    initializing_shards: zero,
    unassigned_shards: zero,
    unassigned_primaries: zero,
    shards_cut: zero,
  },
  tasks: { items: ({ tasks }) => tasks.length, tasks: ({ tasks }) => tasks.length, nodes_failed: zero },
};
