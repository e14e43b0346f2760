import { cursor, filtered } from './cluster-paths.js';
import {
  headerRef,
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed, count, inQuery, milliseconds, timestamp, next, text } from './schema-kinds.js';

export const exampleTraceId = '5b8efff798038103d269b633813fc60c';
const spanId = 'eee19b7ec3c1b174';
const start = '2026-01-02T03:04:05.678901234Z';

export const traceParameters: Readonly<Record<string, ParameterObject>> = {
  TraceId: {
    ...{ name: 'trace_id', in: 'path', required: true },
    description: 'Id of the trace: 32 hex digits.',
    schema: { type: 'string', pattern: '^[0-9a-fA-F]{32}$' },
    example: exampleTraceId,
  },
  SpanChoice: inQuery(
    'spans',
    'Which spans are searched. `roots`, unless given: those that start a trace. `entries`: also those of kind server or consumer, by which an application was called. `all`: every span.',
    { enum: ['roots', 'entries', 'all'] },
  ),
  Application: inQuery('application', 'Only spans of this application.', {
    ...text,
    minLength: 1,
    maxLength: 1_000,
  }),
  Operation: inQuery('operation', 'Only spans of this name.', { ...text, minLength: 1, maxLength: 1_000 }),
  SpanStatus: inQuery('status', 'Only spans that failed, or only the others.', { enum: ['error', 'ok'] }),
  Attribute: inQuery(
    'attribute',
    'Only spans with this attribute, on the span or its resource: `key=value`, or a key alone for any value.',
    { ...text, minLength: 1, maxLength: 2_000, pattern: '^[^=]' },
  ),
  ShortestMs: inQuery('min_ms', 'Only spans that lasted at least this many milliseconds.', milliseconds),
  LongestMs: inQuery('max_ms', 'Only spans that lasted at most this many milliseconds.', milliseconds),
  SpanId: inQuery('span_id', 'Only this span of the trace: 16 hex digits.', {
    ...text,
    pattern: '^[0-9a-fA-F]{16}$',
  }),
  SpanCursor: cursor('t-\\d{1,19}-[0-9a-f]{32}-[0-9a-f]{16}', filtered),
  TraceCursor: cursor('w-\\d{1,19}-\\d{1,19}-[0-9a-f]{16}'),
};

const common: Readonly<Record<string, Schema>> = {
  span_id: text,
  parent_span_id: { ...text, description: 'Empty for a root.' },
  application: { ...text, description: 'The name under which the sender reports.' },
  service: { ...text, description: '`service.name` of the resource; empty if it has none.' },
  operation: { ...text, description: 'Name of the span.' },
  kind: { ...text, description: 'Such as server or internal.' },
  status: { ...text, description: 'Unset, ok or error, in lower case.' },
  duration_ms: { ...milliseconds, description: 'To the nanosecond; 0 if the sender’s clock went back.' },
};

export const traceSchemas: Readonly<Record<string, Schema>> = {
  FoundSpan: closed({ trace_id: text, ...common, start: timestamp }, 'A span that a search found.'),
  FoundSpans: closed({
    from: { ...timestamp, description: 'Start of the search: at most 31 days before its end.' },
    to: timestamp,
    spans: { type: 'array', description: 'Newest first.', items: schemaRef('FoundSpan') },
    next,
  }),
  SpanDurations: closed({
    from: { ...timestamp, description: 'Whole minutes, so the range may be a little longer.' },
    to: timestamp,
    step_seconds: { ...count, description: 'Length of an interval.' },
    edges_ms: { type: 'array', description: 'Lower bounds of the duration bands.', items: milliseconds },
    cells: {
      type: 'array',
      description: 'By time and duration. Cells without spans are omitted.',
      items: closed({
        at: { ...timestamp, description: 'Start of the interval.' },
        from_ms: { ...milliseconds, description: 'Lower bound of the band; it ends before the next bound.' },
        spans: count,
        errors: { ...count, description: 'Spans that failed.' },
      }),
    },
  }),
  TraceSpan: closed(
    {
      ...common,
      offset_ms: { ...milliseconds, description: 'How long after the first span this one started.' },
      attributes: { ...count, description: 'How many attributes it has.' },
      events: { ...count, description: 'How many events it has.' },
      links: { ...count, description: 'How many links it has.' },
    },
    'A span in its trace.',
  ),
  Trace: closed({
    trace_id: text,
    start: { ...timestamp, description: 'When its first span started.' },
    spans: { type: 'array', description: 'By start time, at most 10,000.', items: schemaRef('TraceSpan') },
    next,
  }),
  OtlpTraces: {
    type: 'object',
    description: 'An ExportTraceServiceRequest of OTLP/JSON.',
    properties: { resourceSpans: { type: 'array', items: { type: 'object', additionalProperties: true } } },
    required: ['resourceSpans'],
    additionalProperties: false,
  },
};

const span = {
  ...{ span_id: spanId, parent_span_id: '', application: 'shop', service: 'shop' },
  ...{ operation: 'GET /cart', kind: 'server', status: 'unset', duration_ms: 12.5 },
};

/** An answer of each operation. */
export const traceExamples: Readonly<Record<'search' | 'durations' | 'one' | 'otlp', Json>> = {
  search: {
    from: '2026-01-01T12:00:00.000Z',
    to: '2026-01-02T12:00:00.000Z',
    spans: [{ trace_id: exampleTraceId, ...span, start }],
    next: null,
  },
  durations: {
    from: '2026-01-01T12:00:00.000Z',
    to: '2026-01-02T12:00:00.000Z',
    step_seconds: 1_800,
    edges_ms: [0, 10, 20, 50],
    cells: [{ at: '2026-01-02T03:00:00.000Z', from_ms: 10, spans: 12, errors: 1 }],
  },
  one: {
    trace_id: exampleTraceId,
    start,
    spans: [{ ...span, offset_ms: 0, attributes: 2, events: 0, links: 0 }],
    next: null,
  },
  otlp: {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeSpans: [
          {
            scope: { name: 'http' },
            spans: [
              {
                ...{ traceId: exampleTraceId, spanId, name: 'GET /cart', kind: 2 },
                startTimeUnixNano: '1767323045678901234',
                endTimeUnixNano: '1767323045691401234',
              },
            ],
          },
        ],
      },
    ],
  },
};

const security: Operation['security'] = [{ apiKey: ['read'] }];

const searchTraces: Operation = {
  operationId: 'searchTraces',
  tags: ['Traces'],
  summary: 'Traces by application, operation, status, attribute, duration and time, newest first',
  description:
    'Finds spans, each with its trace. Covers the last day unless `from` says otherwise, and at most the 31 days before `to`; spans are kept for 30 days. Queries that would read too much get 422: ask for a shorter range.',
  security,
  parameters: [
    ...['RangeFrom', 'RangeTo', 'SpanChoice', 'Application', 'Operation', 'SpanStatus', 'Attribute'],
    ...['ShortestMs', 'LongestMs', 'PageLimit', 'SpanCursor', 'RequestId'],
  ].map(parameterRef),
  responses: {
    '200': answer('What was found.', schemaRef('FoundSpans'), traceExamples.search),
    ...problems(...shared, 'Invalid', 'Unavailable'),
  },
};

const getSpanDurations: Operation = {
  operationId: 'getSpanDurations',
  tags: ['Traces'],
  summary: 'Counts of spans by duration, over time',
  description:
    'Counts the spans that the search for traces finds with the same parameters. Covers the last day unless `from` says otherwise, and at most the 31 days before `to`. Queries that would read too much get 422: ask for a shorter range.',
  security,
  parameters: [
    ...['RangeFrom', 'RangeTo', 'SpanChoice', 'Application', 'Operation', 'SpanStatus', 'Attribute'],
    ...['ShortestMs', 'LongestMs', 'RequestId'],
  ].map(parameterRef),
  responses: {
    '200': answer('The counts.', schemaRef('SpanDurations'), traceExamples.durations),
    ...problems(...shared, 'Invalid', 'Unavailable'),
  },
};

const getTrace: Operation = {
  operationId: 'getTrace',
  tags: ['Traces'],
  summary: 'One trace: each span with its place in time',
  security,
  parameters: ['TraceId', 'TraceCursor', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('The trace.', schemaRef('Trace'), traceExamples.one),
    ...problems(...shared, 'NotFound', 'Invalid', 'Unavailable'),
  },
};

const getTraceAsOtlp: Operation = {
  operationId: 'getTraceAsOtlp',
  tags: ['Traces'],
  summary: 'One trace, or one span of it, as OTLP/JSON',
  description:
    'Everything that was received: attributes, events, links. At most 2,000 spans; if there are more, the header `Link` leads to the next request.',
  security,
  parameters: ['TraceId', 'SpanId', 'TraceCursor', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('The request.', schemaRef('OtlpTraces'), traceExamples.otlp, {
      Link: headerRef('NextPage'),
    }),
    ...problems(...shared, 'NotFound', 'Invalid', 'Unavailable'),
  },
};

export const tracePaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/traces': { get: searchTraces },
  '/api/v1/traces/durations': { get: getSpanDurations },
  '/api/v1/traces/{trace_id}': { get: getTrace },
  '/api/v1/traces/{trace_id}/otlp': { get: getTraceAsOtlp },
};
