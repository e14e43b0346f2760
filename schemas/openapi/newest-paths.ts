import { parameterRef, type Operation, type PathItem } from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed, nullableTimestamp } from './schema-kinds.js';

/** An answer of the operation. */
export const newestExample = {
  result_at: '2026-01-15T12:00:00.000Z',
  event_at: '2026-01-15T11:59:00.000Z',
  span_at: null,
};

const getNewest: Operation = {
  operationId: 'getNewest',
  tags: ['Operating'],
  summary: 'When the workspace last had a result, an event and a request in a trace',
  description:
    'Whatever their age, as long as they are kept. Distinguishes a workspace that never received anything from one with nothing in a range. Times in the future do not count.',
  security: [{ apiKey: ['read'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer(
      'The newest of each.',
      closed({
        result_at: {
          ...nullableTimestamp,
          description: 'When the last one was accepted; null: there is none.',
        },
        event_at: { ...nullableTimestamp, description: 'The minute of the last one; null: there is none.' },
        span_at: {
          ...nullableTimestamp,
          description: 'Start of the last span by which an application was called; null: there is none.',
        },
      }),
      newestExample,
    ),
    ...problems(...shared, 'Unavailable'),
  },
};

export const newestPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/newest': { get: getNewest },
};
