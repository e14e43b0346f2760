import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { exampleTraceId } from './trace-paths.js';
import { closed, count, milliseconds, timestamp, text } from './schema-kinds.js';

const durations = { p50_ms: milliseconds, p95_ms: milliseconds, p99_ms: milliseconds };
const figures: Readonly<Record<string, Schema>> = {
  requests: count,
  errors: { ...count, description: 'How many of them failed.' },
  per_second: { type: 'number', minimum: 0 },
  ...durations,
};
const range = {
  from: { ...timestamp, description: 'Whole minutes, so the range may be a little longer.' },
  to: timestamp,
};
const cut: Schema = { type: 'boolean', description: 'There are more than those listed.' };
const listOf = (name: string, description: string): Schema => ({
  ...{ type: 'array', description },
  items: schemaRef(name),
});

export const applicationSchemas: Readonly<Record<string, Schema>> = {
  ApplicationPoint: closed({ at: timestamp, ...figures }, 'An interval with requests.'),
  Application: closed({
    application: text,
    ...figures,
    series: listOf('ApplicationPoint', 'By time. Intervals without requests are omitted.'),
  }),
  Applications: closed({
    ...range,
    step_seconds: { ...count, description: 'Length of an interval of the series.' },
    applications: listOf('Application', 'The 200 with the most requests.'),
    cut,
  }),
  ApplicationOperation: closed({ application: text, service: text, operation: text, ...figures }),
  SlowCall: closed({
    ...{ trace_id: text, span_id: text, application: text, service: text, operation: text, status: text },
    ...{ duration_ms: milliseconds, start: timestamp },
  }),
  ApplicationOperations: closed({
    ...range,
    operations: listOf('ApplicationOperation', 'The 200 with the most requests.'),
    cut: { ...cut, description: 'There are more operations than those listed.' },
    slowest: listOf('SlowCall', 'The 20 slowest requests.'),
  }),
  ApplicationCall: closed({ caller: text, called: text, calls: count, errors: count, ...durations }),
  ApplicationCalls: closed({
    from: { ...timestamp, description: 'If a range has very many spans, only its newest part is read.' },
    to: timestamp,
    calls: listOf('ApplicationCall', 'The 500 most frequent.'),
    cut,
  }),
};

const bounds = { from: '2026-01-01T12:00:00.000Z', to: '2026-01-02T12:00:00.000Z' };
const times = { p50_ms: 12.5, p95_ms: 80.1, p99_ms: 210 };
const of = { requests: 8_640, errors: 12, per_second: 0.1, ...times };
const call = { application: 'shop', service: 'shop', operation: 'GET /cart' };

/** An answer of each operation. */
export const applicationExamples: Readonly<Record<'list' | 'operations' | 'calls', Json>> = {
  list: {
    ...bounds,
    step_seconds: 1_800,
    applications: [{ application: 'shop', ...of, series: [{ at: bounds.from, ...of }] }],
    cut: false,
  },
  operations: {
    ...bounds,
    operations: [{ ...call, ...of }],
    cut: false,
    slowest: [
      {
        ...{ trace_id: exampleTraceId, span_id: 'eee19b7ec3c1b174', ...call, status: 'unset' },
        ...{ duration_ms: 1_210.5, start: '2026-01-02T03:04:05.678901234Z' },
      },
    ],
  },
  calls: {
    ...bounds,
    calls: [{ caller: 'shop', called: 'stock', calls: 8_600, errors: 3, ...times }],
    cut: false,
  },
};

interface Declared {
  readonly operationId: string;
  readonly summary: string;
  readonly schema: string;
  readonly example: Json;
  readonly more?: readonly string[];
}

const read = ({ operationId, summary, schema, example, more = [] }: Declared): Operation => ({
  operationId,
  tags: ['Applications'],
  summary,
  description:
    'Counts the spans by which an application was called: roots, and spans of kind server or consumer. Covers the last day unless `from` says otherwise, and at most the 31 days before `to`.',
  security: [{ apiKey: ['read'] }],
  parameters: ['RangeFrom', 'RangeTo', ...more, 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('The figures.', schemaRef(schema), example),
    ...problems(...shared, 'Invalid', 'Unavailable'),
  },
});

export const applicationPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/applications': {
    get: read({
      operationId: 'listApplications',
      summary: 'Applications: requests, errors and durations, also over time',
      schema: 'Applications',
      example: applicationExamples.list,
    }),
  },
  '/api/v1/applications/operations': {
    get: read({
      operationId: 'listApplicationOperations',
      summary: 'The operations of an application, and its slowest requests',
      schema: 'ApplicationOperations',
      example: applicationExamples.operations,
      more: ['Application'],
    }),
  },
  '/api/v1/applications/calls': {
    get: read({
      operationId: 'listApplicationCalls',
      summary: 'Which application calls which',
      schema: 'ApplicationCalls',
      example: applicationExamples.calls,
    }),
  },
};
