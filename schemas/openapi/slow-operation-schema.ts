import { slowOperationKinds, slowOperationLevels, slowOperationPhases } from '../slow-operations.js';
import type { Json, Schema } from './document-types.js';

export const slowOperationExample: Json = {
  id: '0190f5c46a1e7d3c8a431f0e2d3c4b5a',
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

const name: Schema = { type: 'string', minLength: 1, maxLength: 512 };
const optionalName: Schema = { type: ['string', 'null'], maxLength: 512 };
const count: Schema = { type: 'integer', minimum: 0 };
const optionalText: Schema = { type: ['string', 'null'], maxLength: 1_000_000 };

export const slowOperationSchemas: Readonly<Record<string, Schema>> = {
  AgentSlowOperation: {
    type: 'object',
    description:
      'One entry of a slow log, scrubbed on its host. Fields that an entry does not have are null or absent.',
    properties: {
      id: { type: 'string', pattern: '^[0-9a-f]{32}$', maxLength: 32 },
      cluster_uuid: name,
      cluster_name: optionalName,
      node_name: optionalName,
      at: {
        type: 'integer',
        minimum: 946_684_800_000_000,
        maximum: 4_102_444_800_000_000,
        description: 'Microseconds since 1970.',
      },
      kind: { enum: [...slowOperationKinds] },
      phase: { enum: [...slowOperationPhases] },
      level: { enum: [...slowOperationLevels] },
      index: name,
      took_ms: { type: 'number', minimum: 0 },
      query: { ...optionalText, description: 'The scrubbed query, cut where it is long.' },
      query_length: count,
      source: { ...optionalText, description: 'The scrubbed document, where the operator asked for it.' },
    },
    required: ['id', 'cluster_uuid', 'at', 'kind', 'phase', 'level', 'index', 'took_ms'],
  },
};
