import {
  slowOperationColumns,
  slowOperationKinds,
  slowOperationLevels,
  slowOperationPhases,
  type SlowOperationItem,
} from '../slow-operations.js';
import { largestInt, longestName } from '../slow-operation-bounds.js';
import type { Json, Schema } from './document-types.js';

export const exampleSlowOperationId = '0190f5c46a1e7d3c8a431f0e2d3c4b5a';

export const slowOperationExample: Json = {
  id: exampleSlowOperationId,
  cluster_uuid: 'Xk2vQ1aBS3yT9d0wZr7p4g',
  at: 1_768_478_400_000_000,
  kind: 'search',
  phase: 'query',
  level: 'warn',
  index: 'books',
  took_ms: 1_250,
  query: '{"match":{"title":"harbour"}}',
  query_length: 29,
};

const longest = Number.MAX_SAFE_INTEGER;
const name: Schema = { type: 'string', minLength: 1, maxLength: longestName };
const optionalName: Schema = { type: ['string', 'null'], minLength: 1, maxLength: longestName };
const optionalText: Schema = { type: ['string', 'null'], maxLength: 1_000_000 };
const count = (description: string): Schema => ({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: longest,
  description,
});
const int32 = { type: 'integer', minimum: 0, maximum: largestInt } as const;
const optionalInt32: Schema = { ...int32, type: ['integer', 'null'] };
const digested = (what: string): Schema => ({
  ...optionalName,
  description: `${what}: unchanged if it is a UUID or generated, otherwise a keyed digest.`,
});

/** Every field of an entry except its time, which is sent as a number and read as a text. */
const fields: Readonly<Record<Exclude<keyof SlowOperationItem, 'at'>, Schema>> = {
  id: {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
    maxLength: 32,
    description: 'The same entry always has the same id.',
  },
  cluster_uuid: name,
  cluster_name: optionalName,
  node_id: optionalName,
  node_name: optionalName,
  kind: { enum: [...slowOperationKinds] },
  phase: { enum: [...slowOperationPhases] },
  level: { enum: [...slowOperationLevels], description: 'Level of the threshold that it exceeded.' },
  index: name,
  index_uuid: optionalName,
  shard: optionalInt32,
  took_ms: { type: 'number', minimum: 0 },
  total_hits: count('Hits of the shard; null if the log does not say.'),
  total_hits_at_least: { type: 'boolean', description: 'Counting stopped at `total_hits`.' },
  search_type: optionalName,
  total_shards: { ...optionalInt32, description: 'Shards that the search asked.' },
  stats: { type: 'array', items: name, maxItems: 100, description: 'Statistics groups that it named.' },
  opaque_id: digested('X-Opaque-Id of a search'),
  document_id: digested('Id of the document'),
  routing: digested('Routing of the document'),
  trace_id: optionalName,
  user: { ...optionalName, description: 'A keyed digest of the user, if the log names one.' },
  query: { ...optionalText, description: 'The scrubbed query, cut if it is long.' },
  query_length: { ...int32, description: 'Characters of the query as it was logged.' },
  query_cut: { type: 'boolean' },
  source_bytes: count('UTF-8 bytes of the document as it was logged; null if there was none.'),
  source: { ...optionalText, description: 'The scrubbed document, if the operator enabled it.' },
  source_cut: { type: 'boolean' },
  size_at_least: {
    type: ['boolean', 'null'],
    description:
      'The size (query_length, source_bytes) is a lower bound: the log held only the beginning of the text.',
  },
  redactions: { ...int32, description: 'Values that scrubbing replaced.' },
  withheld: {
    type: ['string', 'null'],
    maxLength: 1_000,
    description: 'Why the texts are missing, if they could not be scrubbed.',
  },
};

/** As agents send it: an absent field means null, false, 0 or an empty list. */
const sent: Schema = {
  type: 'object',
  description:
    'One entry of a slow log, scrubbed on its host. Fields that an entry does not have are null or absent.',
  properties: {
    ...fields,
    at: {
      type: 'integer',
      minimum: 946_684_800_000_000,
      maximum: 4_102_444_800_000_000,
      description: 'Microseconds since 1970.',
    },
  },
  required: ['id', 'cluster_uuid', 'at', 'kind', 'phase', 'level', 'index', 'took_ms'],
};

export const slowOperationSchemas: Readonly<Record<string, Schema>> = { AgentSlowOperation: sent };

/** As the API returns it, with every field; the answer names the cluster. */
const read: Readonly<Record<string, Schema>> = {
  at: { type: 'string', format: 'date-time' },
  ...Object.fromEntries(slowOperationColumns.map((column) => [column, fields[column]])),
  query_length: {
    ...optionalInt32,
    description: 'Characters of the query as it was logged; null for an indexing operation.',
  },
};

export const storedSlowOperation: Schema = {
  type: 'object',
  description: 'One entry of a slow log; its texts were scrubbed on the host of the agent.',
  properties: read,
  required: Object.keys(read),
  additionalProperties: false,
};

export const storedSlowOperationExample: Json = {
  at: '2026-01-15T12:00:00.000000Z',
  id: exampleSlowOperationId,
  node_id: 'Zp4kq2T1RtaTbNWQ9lXo0g',
  node_name: 'es1',
  kind: 'search',
  phase: 'query',
  level: 'warn',
  index: 'books',
  index_uuid: null,
  shard: 0,
  took_ms: 1_250,
  total_hits: 19,
  total_hits_at_least: false,
  search_type: 'QUERY_THEN_FETCH',
  total_shards: 2,
  stats: [],
  opaque_id: 'hmac-1f0e2d3c4b5a6978',
  document_id: null,
  routing: null,
  trace_id: null,
  user: null,
  query: '{"match":{"title":"harbour"}}',
  query_length: 29,
  query_cut: false,
  source_bytes: null,
  source: null,
  source_cut: false,
  size_at_least: false,
  redactions: 0,
  withheld: null,
};
