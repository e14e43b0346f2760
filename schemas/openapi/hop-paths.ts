import { hops } from '../hops.js';
import { parameterRef, schemaRef, type Json, type PathItem, type Schema } from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed, count, nullableNumber, timestamp } from './schema-kinds.js';

export const hopSchemas: Readonly<Record<string, Schema>> = {
  HopTimes: closed({
    from: { ...timestamp, description: 'Start of the range: at most 31 days before its end.' },
    to: timestamp,
    lanes: {
      type: 'array',
      description: 'One for each lane that had a result.',
      items: closed({
        lane: { enum: ['task', 'realtime'] },
        results: count,
        hops: {
          type: 'array',
          description: 'In their order; `all` is from the acceptance until ClickHouse had the result.',
          items: closed({
            hop: { enum: hops.map(({ hop }) => hop) },
            p50_ms: {
              ...nullableNumber,
              description:
                'Approximate, like `p95_ms` and `p99_ms`. The times come from several machines: one may be negative if their clocks differ.',
            },
            p95_ms: nullableNumber,
            p99_ms: nullableNumber,
          }),
        },
      }),
    },
  }),
};

const times = { p50_ms: 3, p95_ms: 10.5, p99_ms: 42 };

export const hopTimesExample: Json = {
  ...{ from: '2026-01-01T12:00:00.000Z', to: '2026-01-02T12:00:00.000Z' },
  lanes: [{ lane: 'task', results: 1_200, hops: hops.map(({ hop }) => ({ hop, ...times })) }],
};

export const hopPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/results/hop-times': {
    get: {
      operationId: 'getHopTimes',
      tags: ['Results'],
      summary: 'How long requests take, end to end and hop by hop',
      description:
        'By the timestamps of the workspace’s stored results that were accepted in the range: the last day unless `from` says otherwise, and at most the 31 days before `to`. If a replay has scored a text again, its first result counts. Queries that would read too much get 422: ask for a shorter range.',
      security: [{ apiKey: ['read'] }],
      parameters: ['RangeFrom', 'RangeTo', 'RequestId'].map(parameterRef),
      responses: {
        '200': answer('The times, by lane.', schemaRef('HopTimes'), hopTimesExample),
        ...problems(...shared, 'Invalid', 'Unavailable'),
      },
    },
  },
};
