import { cursor } from './cluster-paths.js';
import {
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
import { closed, count, timestamp, next, text } from './schema-kinds.js';

const figure = (description: string): Schema => ({ type: ['number', 'null'], description });
const name: Schema = { ...text, minLength: 1, maxLength: 1_000 };

export const eventReadParameters: Readonly<Record<string, ParameterObject>> = {
  EventMetric: {
    ...{ name: 'metric', in: 'query', required: false },
    description: 'Only the series of this metric.',
    schema: name,
    example: 'queue.depth',
  },
  EventCluster: {
    ...{ name: 'cluster', in: 'query', required: false },
    description: 'Only events for this cluster.',
    schema: name,
  },
  MetricCursor: cursor('m-[a-z]{1,20}-[\\w-]{1,2000}'),
};

const figures: Readonly<Record<string, Schema>> = {
  events: { ...count, description: 'How many arrived.' },
  sum: figure('Sum of increments or decrements; null for other types.'),
  min: figure('The lowest value; null for increments and decrements.'),
  max: figure('The highest value; null for increments and decrements.'),
  last: figure(
    'The last value, by the time of the event; null for increments, decrements and distributions.',
  ),
  p50: figure('Only for distributions, like `p95` and `p99`.'),
  p95: figure('Only for distributions.'),
  p99: figure('Only for distributions.'),
};
const range = {
  from: { ...timestamp, description: 'Whole minutes, so the range may be a little longer.' },
  to: timestamp,
};

export const eventReadSchemas: Readonly<Record<string, Schema>> = {
  EventMetric: closed({
    ...{
      metric: text,
      type: text,
      clusters: { ...count, description: 'How many clusters it arrived for; no cluster counts as one.' },
    },
    latest_minute: { ...timestamp, description: 'The last minute of the range in which it arrived.' },
    ...figures,
  }),
  EventMetrics: closed({
    ...range,
    metrics: {
      type: 'array',
      description: 'By name; a metric with several types is listed once for each.',
      items: schemaRef('EventMetric'),
    },
    next,
  }),
  EventPoint: closed({ at: timestamp, ...figures }, 'An interval with events.'),
  EventSeries: closed({
    ...range,
    step_seconds: { ...count, description: 'Length of an interval.' },
    series: {
      type: 'array',
      description: 'One for each metric, cluster and type, at most 50: those with the most events.',
      items: closed({
        metric: text,
        cluster: { ...text, description: 'Empty if none was named.' },
        type: text,
        points: {
          type: 'array',
          description: 'By time. Intervals without events are omitted.',
          items: schemaRef('EventPoint'),
        },
      }),
    },
  }),
};

const bounds = { from: '2026-01-01T12:00:00.000Z', to: '2026-01-02T12:00:00.000Z' };
const of = { events: 60, sum: null, min: 1, max: 90, last: 42.5, p50: null, p95: null, p99: null };

/** An answer of each operation. */
export const eventReadExamples: Readonly<Record<'metrics' | 'series', Json>> = {
  metrics: {
    ...bounds,
    metrics: [
      { metric: 'queue.depth', type: 'gauge', clusters: 2, latest_minute: '2026-01-02T11:59:00.000Z', ...of },
    ],
    next: null,
  },
  series: {
    ...bounds,
    step_seconds: 1_800,
    series: [{ metric: 'queue.depth', cluster: 'eu', type: 'gauge', points: [{ at: bounds.from, ...of }] }],
  },
};

const security: Operation['security'] = [{ apiKey: ['read'] }];
const description =
  'By the time of the event, in whole minutes. Covers the last day unless `from` says otherwise, and at most the 31 days before `to`.';

export const eventReadPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/events': {
    get: {
      operationId: 'listEventMetrics',
      tags: ['Events'],
      summary: 'The metrics of custom events, with their last values',
      description,
      security,
      parameters: ['RangeFrom', 'RangeTo', 'PageLimit', 'MetricCursor', 'RequestId'].map(parameterRef),
      responses: {
        '200': answer('The metrics.', schemaRef('EventMetrics'), eventReadExamples.metrics),
        ...problems(...shared, 'Invalid', 'Unavailable'),
      },
    },
  },
  '/api/v1/events/series': {
    get: {
      operationId: 'getEventSeries',
      tags: ['Events'],
      summary: 'Metrics over time, by cluster',
      description,
      security,
      parameters: ['EventMetric', 'EventCluster', 'RangeFrom', 'RangeTo', 'RequestId'].map(parameterRef),
      responses: {
        '200': answer('The series.', schemaRef('EventSeries'), eventReadExamples.series),
        ...problems(...shared, 'Invalid', 'Unavailable'),
      },
    },
  },
};
