import { eventTypes, longestName, mostEvents } from '../custom-event.js';
import {
  parameterRef,
  schemaRef,
  type Operation,
  type ParameterObject,
  type PathItem,
  type ResponseObject,
  type Schema,
} from './document-types.js';
import { eventProperties } from './event-schema.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';

export const eventSchemas: Readonly<Record<string, Schema>> = {
  Event: {
    type: 'object',
    description: 'One custom event.',
    properties: eventProperties,
    required: ['metric', 'type', 'value'],
    allOf: [valueOf('percentage', { minimum: 0, maximum: 100 }), valueOf('systembyte', { minimum: 0 })],
  },
  Events: { type: 'array', maxItems: mostEvents, items: schemaRef('Event') },
  EventsAccepted: {
    type: 'object',
    properties: { status: { const: 'accepted' } },
    required: ['status'],
    additionalProperties: false,
  },
};

function valueOf(type: string, value: Schema): Schema {
  return { if: { properties: { type: { const: type } } }, then: { properties: { value } } };
}

const shared = [
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'RequestTimeout',
  'Invalid',
  'TooManyRequests',
  'HeadersTooLarge',
  'Unavailable',
] as const;

const acceptedAnswer: ResponseObject = {
  description: 'Every event of the request is stored.',
  headers: { ...commonHeaders, ...rateLimitHeaders },
  content: {
    'application/json': { schema: schemaRef('EventsAccepted'), example: { status: 'accepted' } },
  },
};

function parameter(name: string, description: string, schema: Schema, required = true): ParameterObject {
  return { name, in: 'query', required, description, schema };
}

const takeOne: Operation = {
  operationId: 'takeEvent',
  tags: ['Events'],
  summary: 'One custom event',
  description:
    'Answered once every in-sync replica has it. Without any of these parameters it redirects to the dashboard. Without `apiKey`, the Authorization header is used.',
  security: [{ apiKeyInQuery: ['events'] }, { apiKey: ['events'] }],
  parameters: [
    parameter('metric', 'Name of the metric.', {
      type: 'string',
      minLength: 1,
      maxLength: longestName,
      pattern: '\\S',
    }),
    parameter('type', 'What the value means.', { enum: eventTypes }),
    parameter('value', 'A decimal number; 0..100 for percentage, not negative for systembyte.', {
      type: 'number',
    }),
    parameter('cluster', 'Cluster identifier.', { type: 'string', maxLength: longestName }, false),
    parameterRef('RequestId'),
    parameterRef('IdempotencyKey'),
  ],
  responses: {
    '200': acceptedAnswer,
    '302': {
      description: 'To `/ui/`, if the request has none of the parameters of a custom event.',
      headers: {
        ...commonHeaders,
        Location: { description: 'The dashboard.', required: true, schema: { const: '/ui/' } },
      },
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    ...problems(...shared, 'IdempotencyConflict'),
  },
};

const takeMany: Operation = {
  operationId: 'takeEvents',
  tags: ['Events'],
  summary: `Up to ${mostEvents.toLocaleString('en')} custom events`,
  description:
    'All of them are stored, or none if one is not valid. With an Idempotency-Key they are stored once, however often they are sent within a day. Each event counts towards the rate limit.',
  security: [{ apiKey: ['events'] }],
  parameters: ['RequestId', 'ContentEncoding', 'IdempotencyKey'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('Events'),
        example: [
          { metric: 'orders', type: 'increment', value: 1, cluster: 'eu-1' },
          { metric: 'checkout.seconds', type: 'distribution', value: 0.42 },
        ],
      },
    },
  },
  responses: {
    '200': acceptedAnswer,
    ...problems(...shared, 'BodyTooLarge', 'UnsupportedMediaType', 'IdempotencyConflict'),
  },
};

export const eventPaths: Readonly<Record<string, PathItem>> = { '/': { get: takeOne, post: takeMany } };
