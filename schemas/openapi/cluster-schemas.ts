import { indexColumns } from '../cluster-rows/index-columns.js';
import { nodeColumns } from '../cluster-rows/node-columns.js';
import { healthColumns, overviewColumns } from '../cluster-rows/overview-columns.js';
import { recoveryColumns } from '../cluster-rows/recovery-columns.js';
import { shardColumns } from '../cluster-rows/shard-columns.js';
import { taskColumns } from '../cluster-rows/task-columns.js';
import { trafficFigures } from '../cluster-rows/traffic-figures.js';
import { kindOf, type ColumnKind } from '../cluster-rows/kinds.js';
import { capabilityState } from '../snapshots/capability-section.js';
import { listedCharacters } from '../slow-operations.js';
import type { WatermarksSection } from '../snapshots/topology-section.js';
import { schemaRef, type Schema } from './document-types.js';
import { storedSlowOperation } from './slow-operation-schema.js';
import { closed, nullableTimestamp, nullableText } from './schema-kinds.js';

const reasons: Schema = {
  type: 'object',
  description: 'The reason for each null field; `*` stands for any element, or for everything.',
  additionalProperties: { type: 'string' },
};
const next: Schema = {
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end. New data moves no rows between pages.',
};

const ofKind: Readonly<Record<ColumnKind, Schema>> = {
  number: { type: ['number', 'null'] },
  text: nullableText,
  flag: { type: ['boolean', 'null'] },
  timestamp: nullableTimestamp,
  texts: { type: 'array', items: { type: 'string' } },
  map: { type: 'object' },
  json: { type: ['array', 'null'], items: { type: 'object' } },
};

const amount: Schema = { type: ['number', 'null'], minimum: 0 };
const status: Schema = { enum: ['green', 'yellow', 'red', null] };
const score: Schema = { type: ['integer', 'null'], minimum: 0, maximum: 100 };

/** No measured value is negative, except for growth. */
const schemaOf = (column: string): Schema => {
  const schema = ofKind[kindOf(column)];
  if (column === 'status') return status;
  return kindOf(column) === 'number' && !column.includes('growth') ? amount : schema;
};

const stale: Schema = {
  type: 'boolean',
  description:
    'True if the interval that started at `as_of` ended more than three intervals ago: the data no longer describes the present.',
};
const deductions: Schema = {
  type: 'array',
  description:
    'What is wrong: where, why, and what to do. Costliest first; their points sum to 100 − score, unless floored.',
  items: closed({
    code: { type: 'string' },
    category: { type: 'string' },
    points: { type: 'integer', minimum: 0 },
    points_alone: { type: 'integer', description: 'Points without the limit of its category.' },
    reason: { type: 'string' },
  }),
};
const standing: Readonly<Record<string, Schema>> = {
  status,
  score: { ...score, description: 'Null if there is none at present; `reason` says why.' },
  scored_at: nullableTimestamp,
  stale,
  reason: { ...nullableText, description: 'Why there is no score, since when, and what to do.' },
  deductions: {
    ...deductions,
    description:
      'What is wrong: where, why, and what to do, costliest first. Empty if `stale`; without a score, what is known to be wrong anyway.',
  },
};

/** The schema of a row's object: nested columns become lists of objects. */
function rowSchema(
  columns: readonly string[],
  description: string,
  more: Readonly<Record<string, Schema>> = {},
): Schema {
  const properties: Record<string, Schema> = { ...more };
  const groups = new Map<string, Record<string, Schema>>();
  for (const column of columns) {
    const [group = '', field] = column.split('.', 2);
    if (field === undefined) properties[column] = schemaOf(column);
    else groups.set(group, { ...groups.get(group), [field]: schemaOf(column) });
  }
  for (const [group, fields] of groups) properties[group] = { type: 'array', items: closed(fields) };
  return closed(properties, description);
}

const listOf = (name: string, item: string): Schema =>
  closed({
    cluster_uuid: { type: 'string' },
    as_of: { ...nullableTimestamp, description: 'Start of the interval that the snapshot represents.' },
    stale,
    taken_at: nullableTimestamp,
    partial: { type: 'boolean', description: 'Some nodes or shards did not answer.' },
    unavailable: reasons,
    total: { type: 'integer', minimum: 0, description: 'How many there are in this list, on all its pages.' },
    in_cluster: { ...amount, description: 'How many the cluster has; null: not known.' },
    cut: { ...amount, description: "How many are left out, beyond the agent's limit." },
    [name]: { type: 'array', items: schemaRef(item) },
    next,
  });

const statsColumns = overviewColumns.filter(
  (column) => !['took_ms', 'items', 'details', ...healthColumns].includes(column),
);
const saidAt = { as_of: nullableTimestamp, stale };
const measured = 'Null is "not measured"; `gap` says why nothing could be derived.';
const watermark = closed({
  text: { ...nullableText, description: 'As configured.' },
  source: {
    enum: ['transient', 'persistent', 'default', 'assumed'],
    description: "`assumed`: not readable, so Elasticsearch's own default.",
  },
  used_ratio: { type: ['number', 'null'], minimum: 0, maximum: 1, description: 'What may be used.' },
  free_bytes: { ...amount, description: 'What must stay free.' },
});
const watermarks = closed(
  {
    ...saidAt,
    threshold_enabled: ofKind.flag,
    enable_for_single_data_node: ofKind.flag,
    low: watermark,
    high: watermark,
    flood_stage: watermark,
    flood_stage_frozen: watermark,
    low_max_headroom_bytes: amount,
    high_max_headroom_bytes: amount,
    flood_stage_max_headroom_bytes: amount,
    flood_stage_frozen_max_headroom_bytes: amount,
  } satisfies Record<keyof WatermarksSection | 'as_of' | 'stale', Schema>,
  'The disk watermarks as configured, and in which form.',
);

export const clusterSchemas: Readonly<Record<string, Schema>> = {
  ClusterNode: rowSchema(
    nodeColumns,
    `A node in one snapshot, and what changed since the one before. ${measured}`,
  ),
  ClusterIndex: rowSchema(
    indexColumns,
    `An index in one snapshot, and what changed since the one before. ${measured}`,
  ),
  ClusterShard: rowSchema(
    shardColumns,
    'A shard; an unassigned one with the cluster’s reason, and a recommendation if there is one.',
  ),
  ClusterNodes: listOf('nodes', 'ClusterNode'),
  ClusterIndices: listOf('indices', 'ClusterIndex'),
  ClusterShards: listOf('shards', 'ClusterShard'),
  ClusterTask: rowSchema(
    taskColumns,
    'A long-running task, or one that waits for the master, whose kind is `pending`.',
  ),
  ClusterRecovery: rowSchema(
    recoveryColumns,
    'A recovery of a shard, and how fast it was since the snapshot before.',
  ),
  ClusterTasks: listOf('tasks', 'ClusterTask'),
  ClusterRecoveries: listOf('recoveries', 'ClusterRecovery'),
  ClusterDataStream: closed(
    {
      data_stream: { type: 'string' },
      backing_indices: amount,
      store_bytes: amount,
      newest_document_at: {
        ...nullableTimestamp,
        description: 'The newest `@timestamp` in it; null if it holds no document.',
      },
    },
    'A data stream in one snapshot.',
  ),
  ClusterDataStreams: listOf('data_streams', 'ClusterDataStream'),
  ClusterScore: closed({
    at: { type: 'string', format: 'date-time' },
    status,
    score,
    floored: { type: 'boolean', description: 'The deductions sum to more than 100.' },
    deductions,
    not_measured: {
      type: 'array',
      description: 'What could not be evaluated, and why; it deducts nothing.',
      items: closed({ what: { type: 'string' }, reason: { type: 'string' } }),
    },
  }),
  ClusterHealth: closed({
    cluster_uuid: { type: 'string' },
    ...standing,
    history: { type: 'array', description: 'Newest first.', items: schemaRef('ClusterScore') },
    next,
  }),
  Clusters: closed({
    clusters: {
      type: 'array',
      items: closed({
        cluster_uuid: { type: 'string' },
        cluster_name: nullableText,
        cluster_version: nullableText,
        seen_at: nullableTimestamp,
        ...standing,
      }),
    },
    next,
  }),
  Cluster: closed({
    cluster_uuid: { type: 'string' },
    cluster_name: nullableText,
    cluster_version: nullableText,
    seen_at: nullableTimestamp,
    ...standing,
    health: {
      anyOf: [
        rowSchema(healthColumns, 'As the cluster last reported it; without `status` if it is stale.', saidAt),
        { type: 'null' },
      ],
    },
    stats: { anyOf: [rowSchema(statsColumns, 'Totals of the cluster.', saidAt), { type: 'null' }] },
    traffic: closed(
      {
        ...saidAt,
        ...Object.fromEntries(trafficFigures.map((figure) => [figure, amount])),
        unavailable: reasons,
      },
      'Sums over all nodes; null if a node has no figure or is left out, because the sum would be too low.',
    ),
    watermarks: { anyOf: [watermarks, { type: 'null' }] },
    sections: {
      type: 'array',
      description: 'What is collected, and why the rest is not.',
      items: closed({
        section: { type: 'string' },
        as_of: nullableTimestamp,
        late: { type: 'boolean', description: 'Due, and not collected for three of its intervals.' },
        partial: { type: 'boolean' },
        state: { enum: [...capabilityState.options, null] },
        reason: nullableText,
        privilege: nullableText,
        unavailable: reasons,
      }),
    },
    notes: {
      type: 'array',
      description: 'The agents’ notes on the connection, such as a certificate that could not be read.',
      items: { type: 'string' },
    },
  }),
  SlowOperation: storedSlowOperation,
  SlowOperationOfCluster: closed({
    cluster_uuid: { type: 'string' },
    slow_operation: schemaRef('SlowOperation'),
  }),
  SlowOperations: closed({
    cluster_uuid: { type: 'string' },
    thresholds: closed(
      { as_of: nullableTimestamp, search: ofKind.flag, indexing: ofKind.flag },
      'Whether any index sets a slow-log threshold; null: not known.',
    ),
    notice: { ...nullableText, description: 'Why the list may be empty.' },
    notes: {
      type: 'array',
      description: 'The agents’ notes on the slow logs: what could not be read, and what was left out.',
      items: { type: 'string' },
    },
    slow_operations: {
      type: 'array',
      description: `Newest first, or slowest first. \`query\` and \`source\` have their first ${listedCharacters} characters: \`…/slow-operations/{operation_id}\` has all.`,
      items: schemaRef('SlowOperation'),
    },
    next,
  }),
};
