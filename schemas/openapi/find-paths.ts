import {
  parameterRef,
  schemaRef,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed, nullableCount, nullableTimestamp, nullableText, text } from './schema-kinds.js';

export const findParameters: Readonly<Record<string, ParameterObject>> = {
  FindId: {
    ...{ name: 'id', in: 'path', required: true },
    description:
      'The id of a task, a call or a trace; `<spool>/<number>` of an agent’s batch, its slash as `%2F`; or the Idempotency-Key of a request of the last two days.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

export const findSchemas: Readonly<Record<string, Schema>> = {
  Hop: closed(
    {
      hop: {
        ...text,
        description: 'What happened: accepted, request appended, scored, stored, dead letter, …',
      },
      at: { ...nullableTimestamp, description: 'Null if unknown.' },
      topic: nullableText,
      partition: nullableCount,
      offset: nullableCount,
      table: { ...nullableText, description: 'The table that has its row.' },
      detail: nullableText,
    },
    'One step on the path of what was searched for.',
  ),
  Found: closed({
    id: text,
    kind: { enum: ['task or call', 'trace', 'batch', 'idempotency key'] },
    outcome: {
      enum: ['stored', 'on its way', 'dead letter', 'taken', 'not seen'],
      description:
        '`taken`: the edge has accepted it, but its rows cannot be told from others. If it is not seen: 404, or 503 if not everything could be searched in time.',
    },
    detail: { ...text, description: 'The outcome in words, with what it waits for.' },
    not_seen_since: nullableTimestamp,
    complete: { type: 'boolean', description: 'Whether everything could be searched in time.' },
    hops: { type: 'array', description: 'Oldest first.', items: schemaRef('Hop') },
  }),
};

const nowhere = { topic: null, partition: null, offset: null, table: null, detail: null };

/** An answer of the operation. */
export const foundExample = {
  id: '0198a6a0-7c1e-7b52-8d0e-3f5a1c2b4d6e',
  kind: 'task or call',
  outcome: 'stored',
  detail: 'Its result is in telltale.scoring_results.',
  not_seen_since: null,
  complete: true,
  hops: [
    { hop: 'accepted', at: '2026-01-02T03:04:05.678Z', ...nowhere },
    {
      ...{ hop: 'request appended', at: '2026-01-02T03:04:05.681Z', ...nowhere },
      ...{ topic: 'scoring.requests', partition: 3, offset: 1_204 },
    },
    { hop: 'stored', at: '2026-01-02T03:04:06.012Z', ...nowhere, table: 'telltale.scoring_results' },
  ],
};

const findThing: Operation = {
  operationId: 'find',
  tags: ['Operating'],
  summary: 'Where something is: each step with its time and place',
  description:
    'Searches the data of the key’s workspace in Kafka and ClickHouse, for at most a second. `telltale find` does the same.',
  security: [{ apiKey: ['read'] }],
  parameters: ['FindId', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('What was found.', schemaRef('Found'), foundExample),
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

export const findPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/find/{id}': { get: findThing },
};
