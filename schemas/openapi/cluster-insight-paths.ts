import { eventKinds } from '../cluster-rows/event-kinds.js';
import {
  seriesFigures,
  seriesSubjects,
  standardFigures,
  type SeriesSubject,
} from '../cluster-rows/series-figures.js';
import { slowOperationKinds, slowOperationPhases } from '../slow-operations.js';
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
import {
  closed,
  count,
  inQuery,
  milliseconds,
  nullableCount,
  nullableNumber,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from './schema-kinds.js';

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
    'Of one node, by its id, or of one index, by its name; of those with the highest values unless given.',
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
  SlowTook: inQuery('min_took_ms', 'Only what took so many milliseconds, or more.', {
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999,
  }),
  SlowShape: inQuery('shape', 'Only what has this shape: the `fingerprint` of a group of the summary.', {
    type: 'string',
    pattern: '^[0-9a-f]{16}$',
  }),
  SlowSort: inQuery('sort', '`newest` first unless given, or `slowest`.', { enum: ['newest', 'slowest'] }),
};

export const slowFilters = ['SlowIndex', 'SlowNode', 'SlowKind', 'SlowTook', 'SlowShape'];

export const clusterInsightSchemas: Readonly<Record<string, Schema>> = {
  ClusterSeries: closed({
    cluster_uuid: text,
    of: { enum: [...seriesSubjects] },
    figure: text,
    step_seconds: { ...count, description: 'How long a stretch is, by the range.' },
    from: { ...timestamp, description: 'Whole minutes, so that the range may be a little longer.' },
    to: timestamp,
    interval_seconds: {
      ...nullableCount,
      description: 'From one measurement to the next, the longest in the range; null where there is none.',
    },
    total: {
      ...count,
      description: 'How many nodes or indices there are; `limit` of them are in the answer.',
    },
    series: {
      type: 'array',
      description: 'The one with the highest value first.',
      items: closed({
        id: text,
        name: nullableText,
        points: {
          type: 'array',
          description: 'By time. A stretch in which nothing was collected is left out.',
          items: closed({
            at: timestamp,
            mean: { ...nullableNumber, description: 'Null where nothing could be measured: never 0.' },
            min: nullableNumber,
            max: nullableNumber,
            gap: { ...nullableText, description: 'Why it is null, where that is known.' },
          }),
        },
      }),
    },
  }),
  ClusterTimeline: closed({
    cluster_uuid: text,
    from: timestamp,
    to: timestamp,
    events: {
      type: 'array',
      description: 'Newest first, 500 at most.',
      items: closed({
        at: timestamp,
        what: {
          enum: [...eventKinds],
          description:
            '`rule_not_seen`: what it found is no longer there, but not everything could be evaluated. `no_score`: there was none until then.',
        },
        name: { ...nullableText, description: 'Of the rule, or the node.' },
        before: { ...nullableText, description: 'The colour, or the master, until then.' },
        after: nullableText,
        reason: { ...nullableText, description: 'Of a rule that began.' },
        not_measured: { type: 'array', items: closed({ what: text, reason: text }) },
        silent_seconds: nullableCount,
      }),
    },
    cut: { type: 'boolean', description: 'More happened than is told: ask for a shorter range.' },
  }),
  UnassignedShards: closed({
    cluster_uuid: text,
    as_of: {
      ...nullableTimestamp,
      description: 'Of the snapshot; null where none was collected in the last 7 days.',
    },
    stale: { type: 'boolean' },
    groups: {
      type: 'array',
      description: 'Those with primaries first.',
      items: closed({
        reason: nullableText,
        can_allocate: nullableText,
        recommendation_code: nullableText,
        recommendation: { ...nullableText, description: 'What to do, as one of them has it.' },
        explanation: { ...nullableText, description: 'What the cluster says of one of them.' },
        shards: count,
        primaries: {
          ...count,
          description: 'How many of them: without its primary, a shard answers nothing.',
        },
        index_count: count,
        indices: { type: 'array', description: 'Ten of them at most.', items: text },
        since: nullableTimestamp,
        failed_attempts: nullableNumber,
      }),
    },
  }),
  SlowOperationSummary: closed({
    cluster_uuid: text,
    from: timestamp,
    to: timestamp,
    step_seconds: count,
    points: {
      type: 'array',
      description:
        'By time. A stretch in which the cluster was not heard of, and nothing arrived, is left out.',
      items: closed({
        at: timestamp,
        search: { ...nullableCount, description: 'Null where it is not known, as `search_gap` says.' },
        indexing: { ...nullableCount, description: 'Null where it is not known, as `indexing_gap` says.' },
        search_gap: {
          ...nullableText,
          description:
            'Why it is not known: no threshold is set, the logs are not read, no agent reported, or `kind` leaves it out.',
        },
        indexing_gap: nullableText,
      }),
    },
    total: { ...count, description: 'How many groups there are; the answer has 100 at most.' },
    groups: {
      type: 'array',
      description: 'Those that took most time together first.',
      items: closed({
        fingerprint: { type: 'string', pattern: '^[0-9a-f]{16}$' },
        kind: { enum: [...slowOperationKinds] },
        phase: { enum: [...slowOperationPhases] },
        shape: {
          ...nullableText,
          description: 'The query without the values that it looks for; null where there is no text.',
        },
        indices: { type: 'array', description: 'Ten of them at most.', items: text },
        count,
        sum_ms: milliseconds,
        p50_ms: { ...milliseconds, description: 'Approximate, as `p95_ms` and `p99_ms`.' },
        p95_ms: milliseconds,
        p99_ms: milliseconds,
        max_ms: milliseconds,
        latest_at: nullableTimestamp,
      }),
    },
  }),
};

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
  'Of the last day unless `from` says otherwise, and at most of the 31 days before `to`. A question that would read too much is answered 422: ask for a shorter range.';
const range = ['RangeFrom', 'RangeTo'];

const seriesOf = (operationId: string, what: string, parameters: readonly string[]): PathItem =>
  operation(
    'series',
    {
      operationId,
      summary: `${what} over time`,
      description: `Any number of one row. A node or an index that is gone has its line, too. ${bounded}`,
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
      description: `Colours, rules that began and ended, nodes that left, joined and restarted, new masters. ${bounded}`,
    },
    'ClusterTimeline',
    range,
  ),
  '/api/v1/clusters/{cluster_uuid}/unassigned': operation(
    'unassigned',
    {
      operationId: 'listUnassignedShards',
      summary: 'Unassigned shards in the last snapshot, by their cause',
      description: 'With what the cluster says, and what to do.',
    },
    'UnassignedShards',
    [],
  ),
  '/api/v1/clusters/{cluster_uuid}/slow-operations/summary': operation(
    'slow-operations/summary',
    {
      operationId: 'summarizeSlowOperations',
      summary: 'Slow operations by the shape of what was asked, and counts over time',
      description: `Queries that differ in what they look for alone have one shape. ${bounded}`,
    },
    'SlowOperationSummary',
    [...slowFilters, ...range],
  ),
};
