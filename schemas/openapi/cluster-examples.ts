import { kindOf } from '../cluster-rows/kinds.js';
import { healthColumns, overviewColumns } from '../cluster-rows/overview-columns.js';
import { trafficFigures } from '../cluster-rows/traffic-figures.js';
import type { Json } from './document-types.js';
import { storedSlowOperationExample } from './slow-operation-schema.js';

export const exampleClusterUuid = 'Xk2vQ1aBS3yT9d0wZr7p4g';
const at = '2026-01-02T03:04:00.000Z';

const nullRow = (columns: readonly string[]): { readonly [name: string]: Json } =>
  Object.fromEntries(
    columns.map((column) => {
      const kind = kindOf(column);
      return [column, kind === 'texts' ? [] : kind === 'map' ? {} : null];
    }),
  );

const emptyList = (name: string): Json => ({
  cluster_uuid: exampleClusterUuid,
  as_of: at,
  stale: false,
  taken_at: '2026-01-02T03:04:01.120Z',
  partial: false,
  unavailable: { 'nodes.*.operations.segments_memory_bytes': 'always 0 since 8.0: it is not measured' },
  total: 0,
  in_cluster: 0,
  cut: 0,
  [name]: [],
  next: null,
});

const statsColumns = overviewColumns.filter(
  (column) => !['took_ms', 'items', 'details', ...healthColumns].includes(column),
);

const deduction = {
  code: 'yellow_single_node',
  category: 'availability',
  points: 2,
  points_alone: 2,
  reason:
    '4 replica shards are unassigned on the only data node: books (4). A single data node cannot hold a replica in addition to its primary. Add a data node, or set number_of_replicas to 0.',
};

const standing = {
  status: 'yellow',
  score: 98,
  scored_at: at,
  stale: false,
  reason: null,
  deductions: [deduction],
};

/** An answer of each operation, by the end of its path. */
export const clusterExamples: Readonly<Record<string, Json>> = {
  clusters: {
    clusters: [
      {
        cluster_uuid: exampleClusterUuid,
        cluster_name: 'books',
        cluster_version: '8.14.1',
        seen_at: at,
        ...standing,
      },
    ],
    next: null,
  },
  cluster: {
    cluster_uuid: exampleClusterUuid,
    cluster_name: 'books',
    cluster_version: '8.14.1',
    seen_at: at,
    ...standing,
    health: {
      as_of: at,
      stale: false,
      ...nullRow(healthColumns),
      status: 'yellow',
      nodes: 1,
      data_nodes: 1,
      unassigned_shards: 4,
    },
    stats: { as_of: at, stale: false, ...nullRow(statsColumns), docs_count: 1_204_311 },
    traffic: {
      as_of: at,
      stale: false,
      ...nullRow(trafficFigures),
      queries_per_second: 12.5,
      unavailable: { indexed_per_second: '1 of 1 nodes have no such figure; `gap` in their rows says why.' },
    },
    watermarks: null,
    sections: [
      {
        section: 'nodes',
        as_of: at,
        late: false,
        partial: false,
        state: 'ok',
        reason: null,
        privilege: 'monitor',
        unavailable: {},
      },
    ],
    notes: ['tls.ca could not be read: the trust store of the system is used'],
  },
  health: {
    cluster_uuid: exampleClusterUuid,
    ...standing,
    history: [
      {
        at,
        status: 'yellow',
        score: 98,
        floored: false,
        deductions: [deduction],
        not_measured: [
          { what: 'disk watermarks', reason: "not readable: Elasticsearch's defaults are used" },
        ],
      },
    ],
    next: null,
  },
  nodes: emptyList('nodes'),
  indices: emptyList('indices'),
  shards: emptyList('shards'),
  tasks: emptyList('tasks'),
  recoveries: emptyList('recoveries'),
  'data-streams': emptyList('data_streams'),
  'slow-operation': { cluster_uuid: exampleClusterUuid, slow_operation: storedSlowOperationExample },
  'slow-operations': {
    cluster_uuid: exampleClusterUuid,
    thresholds: { as_of: at, search: true, indexing: false },
    notice: null,
    notes: [
      "slow logs: 12 of the last collection's entries were skipped, the fastest ones (maxEntriesPerCollection)",
    ],
    slow_operations: [storedSlowOperationExample],
    next: null,
  },
};
