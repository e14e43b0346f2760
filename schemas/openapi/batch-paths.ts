import { acceptedMessage, combined, metricKeys } from '../metrics.js';
import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { taskLinks } from './links.js';
import { answer, ofBody, shared } from './metric-paths.js';
import { problems } from './problems.js';

const requested: Schema = { enum: [combined, ...metricKeys] };

const example: readonly Json[] = [
  { prompt: 'I love how quickly your support team answered.' },
  { prompt: 'Where is the harbour?', response: 'By the sea.', metric: 'text_similarity' },
  { prompt: '' },
];

export const batchParameters: Readonly<Record<string, ParameterObject>> = {
  BatchMetric: {
    name: 'metric',
    in: 'query',
    required: false,
    description: 'The metric of all requests that name none themselves; `all` unless given.',
    schema: requested,
    example: 'text_metrics',
  },
};

export const batchSchemas: Readonly<Record<string, Schema>> = {
  BatchRequest: {
    type: 'object',
    description:
      'Like the body of the task endpoint of its metric, with the same rules for `response`. Other fields are ignored.',
    properties: {
      metric: requested,
      prompt: { ...schemaRef('Text'), minLength: 1 },
      response: { anyOf: [schemaRef('Text'), { type: 'null' }] },
    },
    required: ['prompt'],
  },
  Batch: {
    type: 'array',
    description: 'An invalid request is rejected alone; it does not affect the others.',
    items: { anyOf: [schemaRef('BatchRequest'), { description: 'Rejected at its position.' }] },
    minItems: 1,
    maxItems: 1_000,
  },
  BatchAccepted: {
    type: 'object',
    properties: {
      accepted: { type: 'integer', minimum: 0 },
      rejected: { type: 'integer', minimum: 0 },
      tasks: {
        type: 'array',
        description: 'One answer per request, in their order.',
        items: { oneOf: [schemaRef('TaskAccepted'), schemaRef('TaskRejected')] },
        minItems: 1,
      },
    },
    required: ['accepted', 'rejected', 'tasks'],
    additionalProperties: false,
  },
  TaskRejected: {
    type: 'object',
    description: 'This request was not accepted.',
    properties: {
      status: { const: 'rejected' },
      type: {
        enum: ['urn:telltale:problem:invalid', 'urn:telltale:problem:unavailable'],
        description: '`invalid`: correct it. `unavailable`: it could not be stored; send it again.',
      },
      detail: { type: 'string', minLength: 1 },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            pointer: {
              type: 'string',
              pattern: '^/\\d+',
              description: 'JSON pointer into the batch; NDJSON lines count as an array.',
            },
            detail: { type: 'string', minLength: 1 },
          },
          required: ['pointer', 'detail'],
          additionalProperties: false,
        },
        minItems: 1,
      },
    },
    required: ['status', 'type', 'detail', 'errors'],
    additionalProperties: false,
  },
};

const answerExample: Json = {
  accepted: 2,
  rejected: 1,
  tasks: [
    {
      status: 'queued',
      message: acceptedMessage(combined),
      task_id: '3b9b5b0e-6f0c-4a57-9d0c-0f5c1d7c2a44',
    },
    {
      status: 'queued',
      message: acceptedMessage('text_similarity'),
      task_id: '5f0e2a53-9a86-4bb1-8f0b-6a1f1c9a7d10',
    },
    {
      status: 'rejected',
      type: 'urn:telltale:problem:invalid',
      detail: '`prompt` is empty. Send at least one character.',
      errors: [{ pointer: '/2/prompt', detail: '`prompt` is empty. Send at least one character.' }],
    },
  ],
};

const queueBatch: Operation = {
  operationId: 'queueBatch',
  tags: ['Tasks'],
  summary: 'Queue up to 1,000 tasks',
  description:
    'Each request is answered with its own task, or with what is wrong with it. Answered once every in-sync replica has all tasks that were accepted. Under an `Idempotency-Key` the valid requests are stored together or not at all. Each request of a batch counts towards the rate limit.',
  parameters: ['RequestId', 'ContentEncoding', 'IdempotencyKey', 'BatchMetric'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: schemaRef('Batch'), example },
      'application/x-ndjson': {
        schema: { type: 'string', description: 'One BatchRequest per line; blank lines are skipped.' },
        example: example.map((request) => JSON.stringify(request)).join('\n'),
      },
    },
  },
  responses: {
    '202': {
      ...answer('What became of each request.', schemaRef('BatchAccepted'), answerExample),
      links: taskLinks('/tasks/0/task_id'),
    },
    ...problems(...shared, ...ofBody, 'IdempotencyConflict', 'Unavailable'),
  },
};

export const batchPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/monitoring/metrics/task/batch': { post: queueBatch },
};
