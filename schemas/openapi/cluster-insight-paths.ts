import { seriesFigures, standardFigures, type SeriesSubject } from '../cluster-rows/series-figures.js';
import { slowOperationKinds } from '../slow-operations.js';
import { exampleClusterUuid } from './cluster-examples.js';
import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { inQuery } from './schema-kinds.js';

const name: Schema = { type: 'string', minLength: 1, maxLength: 512 };

const figureOf = (of: SeriesSubject): ParameterObject =>
  inQuery('figure', `The figure, by its name in other answers; \`${standardFigures[of]}\` unless given.`, {
    enum: [...new Set(seriesFigures[of])],
  });

export const clusterInsightParameters: Readonly<Record<string, ParameterObject>> = {
  ClusterFigure: figureOf('cluster'),
  NodeFigure: figureOf('nodes'),
  IndexFigure: figureOf('indices'),
  SeriesId: inQuery(
    'id',
    'Only one node, by its id, or one index, by its name; those with the highest values unless given.',
    name,
  ),
  SeriesLimit: inQuery('limit', 'How many lines at most; 6 unless given.', {
    type: 'integer',
    minimum: 1,
    maximum: 50,
  }),
  SlowIndex: inQuery('index', 'Only what this index logged.', name),
  SlowNode: inQuery('node', 'Only what the node of this name logged.', name),
  SlowKind: inQuery('kind', 'Only searches, or only indexing.', { enum: [...slowOperationKinds] }),
  SlowTook: inQuery('min_took_ms', 'Only operations that took at least this many milliseconds.', {
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999,
  }),
  SlowShape: inQuery('shape', 'Only operations of this shape: the `fingerprint` of a group of the summary.', {
    type: 'string',
    pattern: '^[0-9a-f]{16}$',
  }),
  SlowSort: inQuery('sort', '`newest` first unless given, or `slowest`.', { enum: ['newest', 'slowest'] }),
};

export const slowFilters = ['SlowIndex', 'SlowNode', 'SlowKind', 'SlowTook', 'SlowShape'];

const at = '2026-01-02T03:04:00.000Z';
const noThreshold = 'No slow-log threshold of indexing is configured on any index, so the cluster logs none.';
const bounds = { from: '2026-01-02T03:04:00.000Z', to: '2026-01-02T03:06:00.000Z', step_seconds: 60 };

/** An answer of each operation, by the end of its path. */
export const clusterInsightExamples: Readonly<Record<string, Json>> = {
  series: {
    ...{ cluster_uuid: exampleClusterUuid, of: 'nodes', figure: 'heap_used_percent', ...bounds },
    ...{ interval_seconds: 60, total: 1 },
    series: [
      {
        ...{ id: 'Zp4kq2T1RtaTbNWQ9lXo0g', name: 'es1' },
        points: [
          { at, mean: 61.5, min: 58, max: 65, gap: null },
          { at: '2026-01-02T03:05:00.000Z', mean: null, min: null, max: null, gap: 'restarted' },
        ],
      },
    ],
  },
  timeline: {
    ...{ cluster_uuid: exampleClusterUuid, from: bounds.from, to: bounds.to, cut: false },
    events: [
      {
        ...{ at, what: 'node_left', name: 'es2', before: null, after: null, reason: null },
        ...{ not_measured: [], silent_seconds: null },
      },
    ],
  },
  unassigned: {
    ...{ cluster_uuid: exampleClusterUuid, as_of: at, stale: false },
    groups: [
      {
        ...{ reason: 'NODE_LEFT', can_allocate: 'no', recommendation_code: 'add_node' },
        ...{ recommendation: 'Add a data node.', explanation: 'no node can hold it' },
        ...{ shards: 4, primaries: 0, index_count: 1, indices: ['books'], since: at, failed_attempts: 0 },
      },
    ],
  },
  'slow-operations/summary': {
    ...{ cluster_uuid: exampleClusterUuid, ...bounds, total: 1 },
    points: [{ at, search: 2, indexing: null, search_gap: null, indexing_gap: noThreshold }],
    groups: [
      {
        ...{
          fingerprint: '0190f5c46a1e7d3c',
          kind: 'search',
          phase: 'query',
          shape: '{"match":{"title":?}}',
        },
        ...{ indices: ['books'], count: 2, sum_ms: 2_500, p50_ms: 1_250, p95_ms: 1_400, p99_ms: 1_400 },
        ...{ max_ms: 1_400, latest_at: at },
      },
    ],
  },
};

const operation = (
  path: string,
  declared: Pick<Operation, 'operationId' | 'summary'> & { readonly description: string },
  schema: string,
  parameters: readonly string[],
): PathItem => ({
  get: {
    ...declared,
    tags: ['Clusters'],
    security: [{ apiKey: ['read'] }],
    parameters: ['ClusterUuid', ...parameters, 'RequestId'].map(parameterRef),
    responses: {
      '200': answer(`${declared.summary}.`, schemaRef(schema), clusterInsightExamples[path] ?? null),
      ...problems(...shared, 'NotFound', 'Invalid', 'Unavailable'),
    },
  },
});

const bounded =
  'Covers the last day unless `from` says otherwise, and at most the 31 days before `to`. Queries that would read too much get 422: ask for a shorter range.';
const range = ['RangeFrom', 'RangeTo'];

const seriesOf = (operationId: string, what: string, parameters: readonly string[]): PathItem =>
  operation(
    'series',
    {
      operationId,
      summary: `${what} over time`,
      description: `Any figure of a row. A node or an index that no longer exists has its line, too. ${bounded}`,
    },
    'ClusterSeries',
    [...parameters, ...range],
  );

export const clusterInsightPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/clusters/{cluster_uuid}/series': seriesOf('getClusterSeries', 'A figure of the cluster', [
    'ClusterFigure',
  ]),
  '/api/v1/clusters/{cluster_uuid}/nodes/series': seriesOf('getNodeSeries', 'A figure of the nodes', [
    'NodeFigure',
    'SeriesId',
    'SeriesLimit',
  ]),
  '/api/v1/clusters/{cluster_uuid}/indices/series': seriesOf('getIndexSeries', 'A figure of the indices', [
    'IndexFigure',
    'SeriesId',
    'SeriesLimit',
  ]),
  '/api/v1/clusters/{cluster_uuid}/timeline': operation(
    'timeline',
    {
      operationId: 'getClusterTimeline',
      summary: 'What happened to the cluster, newest first',
      description: `Colours, rules that started and stopped applying, nodes that left, joined and restarted, new masters. ${bounded}`,
    },
    'ClusterTimeline',
    range,
  ),
  '/api/v1/clusters/{cluster_uuid}/unassigned': operation(
    'unassigned',
    {
      operationId: 'listUnassignedShards',
      summary: 'Unassigned shards in the last snapshot, by their cause',
      description: 'With the cluster’s explanation, and what to do.',
    },
    'UnassignedShards',
    [],
  ),
  '/api/v1/clusters/{cluster_uuid}/slow-operations/summary': operation(
    'slow-operations/summary',
    {
      operationId: 'summarizeSlowOperations',
      summary: 'Slow operations by the shape of what was asked, and counts over time',
      description: `Queries that differ only in the values they look for have one shape. ${bounded}`,
    },
    'SlowOperationSummary',
    [...slowFilters, ...range],
  ),
};
