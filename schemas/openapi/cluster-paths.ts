import {
  parameterRef,
  schemaRef,
  type Operation,
  type ParameterObject,
  type PathItem,
} from './document-types.js';
import { clusterExamples, exampleClusterUuid } from './cluster-examples.js';
import { indexSorts, nodeSorts } from '../cluster-rows/list-sorts.js';
import { longestIndexName } from '../snapshots/index-section.js';
import { shardState } from '../snapshots/shard-section.js';
import { answer, shared } from './metric-paths.js';
import { exampleSlowOperationId } from './slow-operation-schema.js';
import { slowFilters } from './cluster-insight-paths.js';
import { problems } from './problems.js';
import { inQuery } from './schema-kinds.js';

const inSnapshot = '\\d{1,15}-\\d{1,7}';
/** The suffix of a filtered list's cursors. */
export const filtered = '(-f[0-9a-f]{8})?';

export const clusterParameters: Readonly<Record<string, ParameterObject>> = {
  ClusterUuid: {
    name: 'cluster_uuid',
    in: 'path',
    required: true,
    description: 'UUID of the cluster, as it names itself.',
    schema: { type: 'string', pattern: '^[\\w-]{1,64}$' },
    example: exampleClusterUuid,
  },
  SlowOperationId: {
    name: 'operation_id',
    in: 'path',
    required: true,
    description: '`id` of the entry in a list.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: exampleSlowOperationId,
  },
  PageLimit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Number of entries on a page; 100 unless given.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  },
  RangeFrom: {
    name: 'from',
    in: 'query',
    required: false,
    description: 'Start of the range, inclusive, in ISO 8601; UTC if it names no zone.',
    schema: { type: 'string', format: 'date-time' },
  },
  RangeTo: {
    name: 'to',
    in: 'query',
    required: false,
    description: 'End of the range, exclusive; must be later than `from`.',
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
    description: 'Only indices whose names start with this.',
    schema: { type: 'string', minLength: 1, maxLength: longestIndexName },
  },
  IndexHealth: inQuery('health', 'Only indices of this colour.', { enum: ['green', 'yellow', 'red'] }),
  SlowIndices: inQuery('slow', '`true`: only indices that are slower than their thresholds.', {
    enum: ['true'],
  }),
  PendingTasks: inQuery(
    'pending',
    '`true`: tasks that wait for the master, longest wait first, instead of long-running ones.',
    { enum: ['true'] },
  ),
  IndexSort: inQuery(
    'sort',
    'The order: `size`, the default, largest first; `name`, by name; any other, highest first.',
    {
      enum: [...indexSorts],
    },
  ),
  NodeRole: inQuery('role', 'Only nodes with this role.', { type: 'string', pattern: '^\\w{1,64}$' }),
  NodeSort: inQuery('sort', 'The order: `name`, the default, by name; any other, highest first.', {
    enum: [...nodeSorts],
  }),
  ShardIndex: inQuery('index', 'Only shards of this index.', {
    type: 'string',
    minLength: 1,
    maxLength: 512,
  }),
  ShardNode: inQuery('node', 'Only shards on the node of this name.', {
    type: 'string',
    minLength: 1,
    maxLength: 512,
  }),
  TaskCursor: cursor(`t-${inSnapshot}`),
  RecoveryCursor: cursor(`r-${inSnapshot}`),
  DataStreamCursor: cursor(`d-${inSnapshot}`),
  ClusterCursor: cursor('c-[\\w-]{1,64}'),
  ScoreCursor: cursor('h-\\d{1,15}-\\d{1,15}', filtered),
  NodeCursor: cursor(`n-${inSnapshot}`, filtered),
  IndexCursor: cursor(`i-${inSnapshot}`, filtered),
  ShardCursor: cursor(`s-${inSnapshot}`, filtered),
  EntryCursor: cursor('o-\\d{1,16}-[0-9a-f]{32}(-\\d{1,15})?', filtered),
};

/** Each list accepts only its own cursors. */
export function cursor(position: string, mark = ''): ParameterObject {
  return {
    name: 'cursor',
    in: 'query',
    required: false,
    description:
      '`next` of the previous answer, unchanged, with the same filters. New data moves no rows between pages. 422 if it belongs to another list or filter, or its snapshot is no longer kept.',
    schema: { type: 'string', pattern: `^${position}${mark}$` },
  };
}

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

const listOf = (cursorName: string): readonly string[] => ['ClusterUuid', 'PageLimit', cursorName];
const range = ['RangeFrom', 'RangeTo'];
const tooMuch = 'Queries that would read too much get 422: ask for a shorter range.';

export const clusterPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/clusters': {
    get: operation({
      operationId: 'listClusters',
      summary: 'The search clusters of the workspace, with their scores',
      description: 'Those that were seen in the last 30 days.',
      schema: 'Clusters',
      example: 'clusters',
      parameters: ['PageLimit', 'ClusterCursor'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}': {
    get: operation({
      operationId: 'getCluster',
      summary: 'One cluster: health, totals, traffic, and what is collected',
      schema: 'Cluster',
      example: 'cluster',
      parameters: ['ClusterUuid'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/health': {
    get: operation({
      operationId: 'getClusterHealth',
      summary: 'The health score with a reason for each deduction, newest first',
      description: `One per minute, and one more whenever it changed. ${tooMuch}`,
      schema: 'ClusterHealth',
      example: 'health',
      parameters: [...listOf('ScoreCursor'), ...range],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/nodes': {
    get: operation({
      operationId: 'listClusterNodes',
      summary: 'The nodes in the last snapshot',
      schema: 'ClusterNodes',
      example: 'nodes',
      parameters: [...listOf('NodeCursor'), 'NodeRole', 'NodeSort'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/indices': {
    get: operation({
      operationId: 'listClusterIndices',
      summary: 'The indices in the last snapshot',
      schema: 'ClusterIndices',
      example: 'indices',
      parameters: [...listOf('IndexCursor'), 'IndexPrefix', 'IndexHealth', 'SlowIndices', 'IndexSort'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/shards': {
    get: operation({
      operationId: 'listClusterShards',
      summary: 'The shards in the last snapshot, unassigned ones first',
      schema: 'ClusterShards',
      example: 'shards',
      parameters: [...listOf('ShardCursor'), 'ShardState', 'ShardIndex', 'ShardNode'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/tasks': {
    get: operation({
      operationId: 'listClusterTasks',
      summary:
        'Long-running tasks in the last snapshot, the longest first; or those that wait for the master',
      schema: 'ClusterTasks',
      example: 'tasks',
      parameters: [...listOf('TaskCursor'), 'PendingTasks'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/recoveries': {
    get: operation({
      operationId: 'listClusterRecoveries',
      summary: 'Recoveries of shards that were in progress in the last snapshot',
      schema: 'ClusterRecoveries',
      example: 'recoveries',
      parameters: listOf('RecoveryCursor'),
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/data-streams': {
    get: operation({
      operationId: 'listClusterDataStreams',
      summary: 'The data streams in the last snapshot, the largest first',
      schema: 'ClusterDataStreams',
      example: 'data-streams',
      parameters: listOf('DataStreamCursor'),
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/slow-operations': {
    get: operation({
      operationId: 'listSlowOperations',
      summary: 'Entries of the slow logs',
      description: `If no threshold is configured on any index, \`notice\` says so. ${tooMuch}`,
      schema: 'SlowOperations',
      example: 'slow-operations',
      parameters: [...listOf('EntryCursor'), ...range, ...slowFilters, 'SlowSort'],
    }),
  },
  '/api/v1/clusters/{cluster_uuid}/slow-operations/{operation_id}': {
    get: operation({
      operationId: 'getSlowOperation',
      summary: 'One entry of a slow log',
      description: 'Whenever it was logged.',
      schema: 'SlowOperationOfCluster',
      example: 'slow-operation',
      parameters: ['ClusterUuid', 'SlowOperationId'],
    }),
  },
};
