import { healthColumns, overviewColumns } from '../cluster-rows/overview-columns.js';
import { trafficFigures } from '../cluster-rows/traffic-figures.js';
import { kindOf } from '../cluster-rows/kinds.js';
import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
} from './document-types.js';
import { longestIndexName } from '../snapshots/index-section.js';
import { shardState } from '../snapshots/shard-section.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { storedSlowOperationExample } from './slow-operation-schema.js';

export const exampleClusterUuid = 'Xk2vQ1aBS3yT9d0wZr7p4g';
const at = '2026-01-02T03:04:00.000Z';

export const clusterParameters: Readonly<Record<string, ParameterObject>> = {
  ClusterUuid: {
    name: 'cluster_uuid',
    in: 'path',
    required: true,
    description: 'UUID of the cluster, as it names itself.',
    schema: { type: 'string', pattern: '^[\\w-]{1,64}$' },
    example: exampleClusterUuid,
  },
  PageLimit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'How many there are on a page; 100 unless given.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  },
  RangeFrom: {
    name: 'from',
    in: 'query',
    required: false,
    description: 'Only what is from this moment on, ISO 8601; UTC where it names no zone.',
    schema: { type: 'string', format: 'date-time' },
  },
  RangeTo: {
    name: 'to',
    in: 'query',
    required: false,
    description: 'Only what is before this moment, which must be later than `from`.',
    schema: { type: 'string', format: 'date-time' },
  },
  ShardState: {
    name: 'state',
    in: 'query',
    required: false,
    description: 'Only shards in this state.',
    schema: { enum: [...shardState.options] },
  },
  IndexPrefix: {
    name: 'prefix',
    in: 'query',
    required: false,
    description: 'Only indices whose names begin so.',
    schema: { type: 'string', minLength: 1, maxLength: longestIndexName },
  },
  PageCursor: {
    name: 'cursor',
    in: 'query',
    required: false,
    description:
      '`next` of the answer before, as it is. What comes in meanwhile moves nothing from one page to another. Give the same filters with it: refused with 422 where it is of another list or another filter, or its snapshot is no longer kept.',
    schema: { type: 'string', pattern: '^[nishoc]-[\\w-]{1,64}$' },
  },
};

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

const standing = { status: 'yellow', score: 98, scored_at: at, stale: false, reason: null };

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
        deductions: [
          {
            code: 'yellow_single_node',
            category: 'availability',
            points: 2,
            points_alone: 2,
            reason:
              "4 replica shards are unassigned, as a single data node can not hold a copy beside its primary. Add a data node, or set the indices' replicas to 0.",
          },
        ],
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
  'slow-operations': {
    cluster_uuid: exampleClusterUuid,
    thresholds: { as_of: at, search: true, indexing: false },
    notice: null,
    notes: [
      "slow logs: 12 of the last collection's entries were left out, the fastest of them (maxEntriesPerCollection)",
    ],
    slow_operations: [storedSlowOperationExample],
    next: null,
  },
};

interface Declared {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly schema: string;
  readonly example: string;
  readonly parameters: readonly string[];
}

function operation({ operationId, summary, description, schema, example, parameters }: Declared): Operation {
  const ofOne = parameters.includes('ClusterUuid');
  return {
    operationId,
    tags: ['Clusters'],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [{ apiKey: ['read'] }],
    parameters: [...parameters, 'RequestId'].map(parameterRef),
    responses: {
      '200': answer(`${summary}.`, schemaRef(schema), clusterExamples[example] ?? null),
      ...problems(...shared, ...(ofOne ? (['NotFound'] as const) : []), 'Invalid', 'Unavailable'),
    },
  };
}

const page = ['PageLimit', 'PageCursor'];
const one = ['ClusterUuid', ...page];
const range = ['RangeFrom', 'RangeTo'];

export const clusterPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/clusters': {
    get: operation({
      operationId: 'listClusters',
      summary: 'The search clusters of the workspace, with their scores',
      description: 'Those that were seen in the last 30 days.',
      schema: 'Clusters',
      example: 'clusters',
      parameters: page,
    }),
  },
  '/api/v1/clusters/{cluster_uuid}': {
    get: operation({
      operationId: 'getCluster',
      summary: 'One cluster: health, totals, traffic, and what of it is collected',
      schema: 'Cluster',
      example: 'cluster',
      parameters: ['ClusterUuid'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/health': {
    get: operation({
      operationId: 'getClusterHealth',
      summary: 'The health score with a reason for each deduction, newest first',
      description: 'One a minute, and one more whenever it changed.',
      schema: 'ClusterHealth',
      example: 'health',
      parameters: [...one, ...range],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/nodes': {
    get: operation({
      operationId: 'listClusterNodes',
      summary: 'The nodes in the last snapshot',
      schema: 'ClusterNodes',
      example: 'nodes',
      parameters: one,
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/indices': {
    get: operation({
      operationId: 'listClusterIndices',
      summary: 'The indices in the last snapshot, the largest first',
      schema: 'ClusterIndices',
      example: 'indices',
      parameters: [...one, 'IndexPrefix'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/shards': {
    get: operation({
      operationId: 'listClusterShards',
      summary: 'The shards in the last snapshot, unassigned ones first',
      schema: 'ClusterShards',
      example: 'shards',
      parameters: [...one, 'ShardState'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/slow-operations': {
    get: operation({
      operationId: 'listSlowOperations',
      summary: 'Entries of the slow logs, newest first',
      description: 'Where no threshold is configured on any index, `notice` says so.',
      schema: 'SlowOperations',
      example: 'slow-operations',
      parameters: [...one, ...range],
    }),
  },
};
