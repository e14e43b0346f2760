import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { eventProperties } from './event-schema.js';
import { spanBlockExample, spanBlockSchemas } from './span-block-schema.js';
import { slowOperationExample, slowOperationSchemas } from './slow-operation-schema.js';
import { snapshotExample, snapshotSchemas } from './snapshot-schema.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';

/** One kind of data that agents send. */
interface AgentDatasetDocument {
  /** Last segment of the path. */
  readonly name: string;
  readonly summary: string;
  /** Name of the component that describes one line. */
  readonly item: string;
  readonly example: Json;
}

const datasets: readonly AgentDatasetDocument[] = [
  {
    name: 'events',
    summary: 'A batch of custom events',
    item: 'AgentEvent',
    example: { metric: 'orders', type: 'increment', value: 1, timestamp: '2026-01-15T12:00:00.000Z' },
  },
  { name: 'spans', summary: 'A batch of spans', item: 'AgentSpan', example: spanBlockExample },
  {
    name: 'snapshots',
    summary: 'A batch of snapshots of search clusters',
    item: 'AgentSnapshot',
    example: snapshotExample,
  },
  {
    name: 'slow-operations',
    summary: 'A batch of entries of slow logs',
    item: 'AgentSlowOperation',
    example: slowOperationExample,
  },
];

export const agentSchemas: Readonly<Record<string, Schema>> = {
  AgentEvent: {
    type: 'object',
    description: 'One custom event; `value` defaults to 1 for increment and decrement.',
    properties: eventProperties,
    required: ['metric', 'type'],
  },
  ...spanBlockSchemas,
  ...snapshotSchemas,
  ...slowOperationSchemas,
  AgentBatchTaken: {
    type: 'object',
    description: 'A batch that is sent again gets the same answer.',
    properties: {
      accepted: { type: 'integer', minimum: 0, description: 'Lines that are stored now.' },
      rejected: {
        type: 'array',
        maxItems: 20,
        description: 'The first lines that were rejected, counted from 0, each with its reason.',
        items: {
          type: 'object',
          properties: { index: { type: 'integer', minimum: 0 }, detail: { type: 'string', minLength: 1 } },
          required: ['index', 'detail'],
          additionalProperties: false,
        },
      },
      rejected_count: { type: 'integer', minimum: 0, description: 'How many were rejected.' },
    },
    required: ['accepted', 'rejected', 'rejected_count'],
    additionalProperties: false,
  },
};

export const agentParameters: Readonly<Record<string, ParameterObject>> = {
  BatchId: {
    name: 'Batch-Id',
    in: 'header',
    required: true,
    description:
      '`<spool uuid>/<sequence>`. The sequence rises with each batch of a dataset, and batches are sent one at a time, in order. So a batch that is sent again is recognised, however much later.',
    schema: {
      type: 'string',
      pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/[0-9]{1,15}$',
    },
    example: '0b0e6f4a-6a57-4f0e-9d0c-0f5c1d7c2a44/17',
  },
};

function batchOperation({ summary, item, example }: AgentDatasetDocument): Operation {
  return {
    operationId: `takeAgent${item.replace('Agent', '')}s`,
    tags: ['Agents'],
    summary,
    description:
      'Newline-delimited JSON, at most 16 MiB before and after decompression. Answered when every valid line is stored, exactly once; an invalid line does not affect the others.',
    security: [{ apiKey: ['agent'] }],
    parameters: ['BatchId', 'RequestId', 'ContentEncoding'].map(parameterRef),
    requestBody: {
      required: true,
      content: {
        'application/x-ndjson': {
          schema: { type: 'string', description: 'One item per line.', contentSchema: schemaRef(item) },
          example: `${JSON.stringify(example)}\n`,
        },
      },
    },
    responses: {
      '200': {
        description: 'What became of the lines.',
        headers: { ...commonHeaders, ...rateLimitHeaders },
        content: {
          'application/json': {
            schema: schemaRef('AgentBatchTaken'),
            example: { accepted: 1, rejected: [], rejected_count: 0 },
          },
        },
      },
      ...problems(
        'BadRequest',
        'Unauthorized',
        'Forbidden',
        'RequestTimeout',
        'TooManyRequests',
        'HeadersTooLarge',
        'BatchConflict',
        'BodyTooLarge',
        'UnsupportedMediaType',
        'Unavailable',
      ),
    },
  };
}

export const agentPaths: Readonly<Record<string, PathItem>> = Object.fromEntries(
  datasets.map((dataset) => [`/api/v1/agent/${dataset.name}`, { post: batchOperation(dataset) }]),
);
