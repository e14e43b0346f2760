import { eventTypes, longestName, mostEvents } from '../custom-event.js';
import {
  headerRef,
  parameterRef,
  responseRef,
  schemaRef,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Reference,
  type ResponseObject,
  type Schema,
} from './document-types.js';
import { eventProperties } from './event-schema.js';
import { commonHeaders, problems } from './problems.js';

/** The paths at which the agent accepts custom events and traces. */

const steps = ['increment', 'decrement'];

export const intakeSchemas: Readonly<Record<string, Schema>> = {
  Event: {
    type: 'object',
    description: 'One custom event.',
    properties: eventProperties,
    required: ['metric', 'type'],
    allOf: [
      { if: { properties: { type: { enum: steps } } }, else: { required: ['value'] } },
      when('percentage', { value: { minimum: 0, maximum: 100 } }),
      when('systembyte', { value: { minimum: 0 } }),
    ],
  },
  Events: {
    anyOf: [schemaRef('Event'), { type: 'array', maxItems: mostEvents, items: schemaRef('Event') }],
    description: 'One event or an array of them. `value` defaults to 1 for increment and decrement.',
  },
  EventsAccepted: {
    type: 'object',
    properties: { status: { const: 'accepted' } },
    required: ['status'],
    additionalProperties: false,
  },
  Traces: {
    type: 'object',
    description:
      'An ExportTraceServiceRequest in OTLP/JSON. Enums may be names, ids base64 and keys snake_case.',
    properties: { resourceSpans: { type: 'array', items: { type: 'object' } } },
  },
  TracesTaken: {
    type: 'object',
    description:
      'Empty: everything was accepted. `partialSuccess`: how many spans were refused, and the first reasons.',
    properties: {
      partialSuccess: {
        type: 'object',
        properties: {
          rejectedSpans: { type: 'string', pattern: '^\\d+$' },
          errorMessage: { type: 'string' },
        },
        required: ['rejectedSpans', 'errorMessage'],
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  RpcStatus: {
    type: 'object',
    description: 'google.rpc.Status, which OTLP/HTTP prescribes for errors.',
    properties: { code: { type: 'integer' }, message: { type: 'string', minLength: 1 } },
    required: ['code', 'message'],
    additionalProperties: false,
  },
};

function when(type: string, properties: Schema): Schema {
  return { if: { properties: { type: { const: type } } }, then: { properties } };
}

/** Errors of the trace paths, by the name of their component. */
export const traceProblemResponses: Readonly<Record<string, ResponseObject>> = {
  TracesMalformed: status('Nothing in the body is recognisable, or it is not JSON.'),
  TracesUnauthorized: status('The agent requires its token.', {
    'WWW-Authenticate': headerRef('WwwAuthenticate'),
  }),
  TracesNotOpen: status('A web page of another origin sent it.'),
  TracesTooSlow: status('The request did not arrive in time.'),
  TracesTooLarge: status('The body is over the limit, before or after decompression.'),
  TracesMisdirected: status('The Host header has a name that is not the agent’s.'),
  TracesUnsupported: status('Protobuf, or another media type or encoding than JSON.'),
  TracesHeadersTooLarge: status('The headers are over the limit (16 KiB).'),
  TracesUnavailable: status('The spool is full: try again.', { 'Retry-After': headerRef('RetryAfter') }),
};

function status(description: string, headers: Readonly<Record<string, Reference>> = {}): ResponseObject {
  return {
    description,
    headers: { ...commonHeaders, ...headers },
    content: { 'application/json': { schema: schemaRef('RpcStatus') } },
  };
}

const traceProblems: Operation['responses'] = {
  '400': responseRef('TracesMalformed'),
  '401': responseRef('TracesUnauthorized'),
  '403': responseRef('TracesNotOpen'),
  '408': responseRef('TracesTooSlow'),
  '413': responseRef('TracesTooLarge'),
  '415': responseRef('TracesUnsupported'),
  '421': responseRef('TracesMisdirected'),
  '431': responseRef('TracesHeadersTooLarge'),
  '503': responseRef('TracesUnavailable'),
};

const shared = [
  'BadRequest',
  'Unauthorized',
  'RequestTimeout',
  'Invalid',
  'HeadersTooLarge',
  'Unavailable',
] as const;

const taken: ResponseObject = {
  description: 'Every event of the request is on the server, or on the disk of the agent.',
  headers: commonHeaders,
  content: { 'application/json': { schema: schemaRef('EventsAccepted'), example: { status: 'accepted' } } },
};

const takeEvents: Operation = {
  operationId: 'takeEvents',
  tags: ['Events'],
  summary: `One custom event, or up to ${mostEvents.toLocaleString('en')}`,
  description: 'All of them are accepted, or none if one is not valid.',
  parameters: ['RequestId', 'ContentEncoding'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('Events'),
        example: [
          { metric: 'orders', type: 'increment' },
          { metric: 'checkout.seconds', type: 'distribution', value: 0.42 },
        ],
      },
    },
  },
  responses: { '200': taken, ...problems(...shared, 'BodyTooLarge', 'UnsupportedMediaType') },
};

function query(name: string, description: string, schema: Schema): ParameterObject {
  return { name, in: 'query', required: false, description, schema };
}

const takeEventOfQuery: Operation = {
  operationId: 'takeEventOfQuery',
  tags: ['Events'],
  summary: 'One custom event, as client libraries in the field send it',
  description: 'Without any of these parameters it says what this is.',
  parameters: [
    query('metric', 'Name of the metric.', { type: 'string', minLength: 1, maxLength: longestName }),
    query('method', 'What the value means; `type` is the same.', { enum: eventTypes }),
    query('type', 'What the value means.', { enum: eventTypes }),
    query('value', 'A decimal number; defaults to 1 for increment and decrement.', {
      type: 'number',
    }),
    query('cluster', 'Cluster identifier.', { type: 'string', maxLength: longestName }),
    parameterRef('RequestId'),
  ],
  responses: {
    '200': {
      ...taken,
      content: {
        'application/json': {
          schema: {
            anyOf: [schemaRef('EventsAccepted'), { type: 'object', required: ['name', 'takes', 'says'] }],
          },
        },
      },
    },
    ...problems(...shared),
  },
};

function takeTraces(operationId: string, summary: string, parameters: readonly ParameterObject[]): Operation {
  return {
    operationId,
    tags: ['Traces'],
    summary,
    description: 'OTLP/HTTP in JSON. One bad span never costs its batch. Protobuf is answered 415.',
    parameters: [...parameters, ...['RequestId', 'ContentEncoding'].map(parameterRef)],
    requestBody: { required: true, content: { 'application/json': { schema: schemaRef('Traces') } } },
    responses: {
      '200': {
        description: 'The spans that could be read are on the server, or on the disk of the agent.',
        headers: commonHeaders,
        content: { 'application/json': { schema: schemaRef('TracesTaken'), example: {} } },
      },
      ...traceProblems,
    },
  };
}

export const intakePaths: Readonly<Record<string, PathItem>> = {
  '/': { get: takeEventOfQuery },
  '/events': { post: takeEvents },
  '/apm/{app_name}/v1/traces': {
    post: takeTraces('takeTracesOfApplication', 'Traces of one application', [
      {
        name: 'app_name',
        in: 'path',
        required: true,
        description: 'Identifies the application in the dashboard.',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
        example: 'checkout',
      },
    ]),
  },
  '/v1/traces': {
    post: takeTraces('takeTraces', 'Traces; the application is the resource’s `service.name`', []),
  },
};
