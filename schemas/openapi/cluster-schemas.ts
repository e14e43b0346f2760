import {
  healthColumns,
  indexColumns,
  nodeColumns,
  overviewColumns,
  shardColumns,
} from '../cluster-rows/columns.js';
import { kindOf, type ColumnKind } from '../cluster-rows/kinds.js';
import { schemaRef, type Schema } from './document-types.js';

export const nullableText: Schema = { type: ['string', 'null'] };
export const nullableMoment: Schema = { type: ['string', 'null'], format: 'date-time' };
const reasons: Schema = {
  type: 'object',
  description: 'Field to reason, of what is null; `*` stands for any element, or for everything.',
  additionalProperties: { type: 'string' },
};
const next: Schema = {
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end. The pages are of one moment.',
};

const ofKind: Readonly<Record<ColumnKind, Schema>> = {
  number: { type: ['number', 'null'] },
  text: nullableText,
  flag: { type: ['boolean', 'null'] },
  moment: nullableMoment,
  texts: { type: 'array', items: { type: 'string' } },
  map: { type: 'object' },
};

function closed(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** The object that a row becomes: nested columns are lists of objects. */
function rowSchema(columns: readonly string[], description: string): Schema {
  const properties: Record<string, Schema> = {};
  const groups = new Map<string, Record<string, Schema>>();
  for (const column of columns) {
    const [group = '', field] = column.split('.', 2);
    if (field === undefined) properties[column] = ofKind[kindOf(column)];
    else groups.set(group, { ...groups.get(group), [field]: ofKind[kindOf(column)] });
  }
  for (const [group, fields] of groups) properties[group] = { type: 'array', items: closed(fields) };
  return closed(properties, description);
}

const listOf = (name: string, item: string): Schema =>
  closed({
    cluster_uuid: { type: 'string' },
    as_of: { ...nullableMoment, description: 'Start of the interval that the snapshot stands for.' },
    taken_at: nullableMoment,
    partial: { type: 'boolean', description: 'Some nodes or shards did not answer.' },
    unavailable: reasons,
    total: { type: 'integer', minimum: 0 },
    [name]: { type: 'array', items: schemaRef(item) },
    next,
  });

const statsColumns = overviewColumns.filter(
  (column) => !['took_ms', 'items', 'details', ...healthColumns].includes(column),
);
const measured = 'Null is "not measured"; `gap` says why nothing could be derived.';
const figure = ofKind.number;

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
    'A shard; an unassigned one with the reason of the cluster, and a recommendation where there is one.',
  ),
  ClusterNodes: listOf('nodes', 'ClusterNode'),
  ClusterIndices: listOf('indices', 'ClusterIndex'),
  ClusterShards: listOf('shards', 'ClusterShard'),
  ClusterScore: closed({
    at: { type: 'string', format: 'date-time' },
    status: { enum: ['green', 'yellow', 'red', null] },
    score: { type: ['integer', 'null'], minimum: 0, maximum: 100 },
    floored: { type: 'boolean', description: 'The deductions sum to more than 100.' },
    deductions: {
      type: 'array',
      description: 'The costliest first; their points sum to 100 − score, unless floored.',
      items: closed({
        code: { type: 'string' },
        category: { type: 'string' },
        points: { type: 'integer', minimum: 0 },
        points_alone: { type: 'integer', description: 'Without the bound of its category.' },
        reason: { type: 'string' },
      }),
    },
    not_measured: {
      type: 'array',
      description: 'What could not be judged, and why; it deducts nothing.',
      items: closed({ what: { type: 'string' }, reason: { type: 'string' } }),
    },
  }),
  ClusterHealth: closed({
    cluster_uuid: { type: 'string' },
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
        seen_at: nullableMoment,
        status: { enum: ['green', 'yellow', 'red', null] },
        score: { type: ['integer', 'null'] },
        scored_at: nullableMoment,
      }),
    },
    next,
  }),
  Cluster: closed({
    cluster_uuid: { type: 'string' },
    cluster_name: nullableText,
    cluster_version: nullableText,
    seen_at: nullableMoment,
    score: { type: ['integer', 'null'] },
    scored_at: nullableMoment,
    health: { anyOf: [rowSchema(healthColumns, 'As the cluster says.'), { type: 'null' }] },
    stats: { anyOf: [rowSchema(statsColumns, 'Totals of the cluster.'), { type: 'null' }] },
    traffic: {
      type: 'object',
      description: 'Sums over all nodes; null where a node has no figure, as the sum would be too low.',
      properties: { as_of: nullableMoment, unavailable: reasons },
      required: ['as_of', 'unavailable'],
      additionalProperties: figure,
    },
    watermarks: { type: ['object', 'null'], description: 'As configured, and in which form.' },
    sections: {
      type: 'array',
      description: 'What is collected, and why the rest is not.',
      items: closed({
        section: { type: 'string' },
        as_of: nullableMoment,
        late: { type: 'boolean' },
        partial: { type: 'boolean' },
        state: nullableText,
        reason: nullableText,
        privilege: nullableText,
        unavailable: reasons,
      }),
    },
  }),
  SlowOperations: closed({
    cluster_uuid: { type: 'string' },
    thresholds: closed(
      { search: ofKind.flag, indexing: ofKind.flag },
      'Whether any index sets a slow-log threshold; null: not known.',
    ),
    notice: { ...nullableText, description: 'Why the list may be empty.' },
    slow_operations: {
      type: 'array',
      description: 'Newest first; texts were scrubbed on the host of the agent.',
      items: {
        type: 'object',
        properties: { at: { type: 'string', format: 'date-time' }, took_ms: { type: 'number' } },
        required: ['at', 'kind', 'phase', 'level', 'index', 'took_ms', 'query', 'source'],
      },
    },
    next,
  }),
};
