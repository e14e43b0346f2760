import {
  headerRef,
  parameterRef,
  type Operation,
  type PathItem,
  type ResponseObject,
  type Schema,
} from './document-types.js';
import { commonHeaders, problems } from './problems.js';

const html = 'text/html';
const object: Schema = { type: 'object' };

const readiness = (status: string): Schema => ({
  type: 'object',
  properties: {
    status: { const: status },
    waiting_for: {
      type: 'object',
      description: 'Which condition is not met yet, and why.',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['status', 'waiting_for'],
  additionalProperties: false,
});

function ask(operationId: string, summary: string, responses: Operation['responses']): Operation {
  return {
    operationId,
    tags: ['Operations'],
    summary,
    security: [],
    parameters: [parameterRef('RequestId')],
    responses: { ...responses, ...problems('BadRequest', 'RequestTimeout', 'HeadersTooLarge') },
  };
}

function operation(...said: Parameters<typeof ask>): PathItem {
  return { get: ask(...said) };
}

function answer(description: string, mediaType: string, schema: Schema): ResponseObject {
  return { description, headers: commonHeaders, content: { [mediaType]: { schema } } };
}

const alive: Schema = {
  type: 'object',
  properties: { status: { const: 'alive' } },
  required: ['status'],
  additionalProperties: false,
};

export const operationPaths: Readonly<Record<string, PathItem>> = {
  '/livez': operation('getLiveness', 'Whether the process runs', {
    '200': answer('It does.', 'application/json', alive),
  }),
  '/readyz': operation('getReadiness', 'Whether the edge is ready for requests', {
    '200': answer('It is.', 'application/json', readiness('ready')),
    '503': {
      ...answer('Not yet, or no longer.', 'application/json', readiness('not ready')),
      headers: { ...commonHeaders, 'Retry-After': headerRef('RetryAfter') },
    },
  }),
  '/metrics': {
    get: {
      ...ask('getMetrics', 'Metrics of the process, for Prometheus', {
        '200': answer('Text format 0.0.4.', 'text/plain', { type: 'string' }),
        ...problems('Unauthorized', 'NotOpen'),
      }),
      description:
        'Requires METRICS_TOKEN; if none is set, only programs on the same machine may read it. With EDGE_METRICS_PORT it is served there, and this path is unknown.',
      security: [{}, { metricsToken: [] }],
    },
  },
  '/openapi.json': operation('getOpenApiDocument', 'This document', {
    '200': answer('OpenAPI 3.1.', 'application/json', {
      ...object,
      properties: { openapi: { type: 'string' }, paths: { type: 'object' } },
      required: ['openapi', 'paths'],
    }),
  }),
  '/reference': operation('getReference', 'This document as a page', {
    '200': answer('A page that loads nothing from other hosts.', html, { type: 'string' }),
  }),
  '/ui/': operation('getUserInterface', 'The dashboard', {
    '200': answer('A page for people, who sign in there.', html, { type: 'string' }),
  }),
};
