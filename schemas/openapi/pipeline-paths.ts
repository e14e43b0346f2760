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
import { closed, nullableCount, nullableText, text } from './schema-kinds.js';

const seconds: Schema = { type: ['number', 'null'], minimum: 0 };

const lagRecords: Schema = {
  ...nullableCount,
  description:
    'Offsets from the first unread record to the end of the log, including transaction markers; null if unknown.',
};
const lagSeconds: Schema = {
  ...seconds,
  description:
    'Age of the oldest unread record, even if its transaction has not ended; 0 if everything is read, null if unknown.',
};
const errors: Readonly<Record<string, Schema>> = {
  errors_last_minute: {
    ...nullableCount,
    description:
      'What its processes report: failed records, retried transactions and inserts, lost worker threads; for edges, answers with a status of 500 or more. Null if one of its processes does not report.',
  },
  errors_unknown: { ...nullableText, description: 'Why its errors are null.' },
};
const unknown: Schema = { ...nullableText, description: 'Why something is null.' };

export const pipelineSchemas: Readonly<Record<string, Schema>> = {
  PartitionLag: closed({
    partition: { type: 'integer', minimum: 0 },
    process: {
      ...nullableText,
      description: "The id of the group's member that reads it; null if none does.",
    },
    lag_records: lagRecords,
    lag_seconds: lagSeconds,
    unknown,
  }),
  StageLag: closed(
    {
      stage: text,
      topic: { ...text, description: 'What it reads.' },
      group: { ...text, description: 'Its consumer group.' },
      state: {
        enum: ['running', 'joining', 'stopped', 'unknown'],
        description: '`stopped`: no process is a member of the group.',
      },
      members: { ...nullableCount, description: 'Processes in the group.' },
      lag_records: lagRecords,
      lag_seconds: lagSeconds,
      unknown,
      waits_for: {
        ...nullableText,
        description: 'What it waits for: a stopped process, ClickHouse, Kafka, the language model.',
      },
      appended_last_minute: {
        ...nullableCount,
        description: 'Offsets appended to its topic within the last minute, including transaction markers.',
      },
      dead_letters: {
        ...nullableCount,
        description: 'Records that it could not process, which `<topic>.dead-letters` keeps.',
      },
      ...errors,
      partitions: { type: 'array', items: schemaRef('PartitionLag') },
    },
    'A stage that reads a topic in a consumer group.',
  ),
  PipelineProcess: closed({
    process: { ...text, description: 'Generated at each of its starts.' },
    role: { ...text, description: 'edge, processors or sinks.' },
    reported_at: { type: 'string', format: 'date-time', description: 'When it last reported.' },
    errors_last_minute: {
      ...nullableCount,
      description: 'Of all its stages; null if it has not reported within a minute.',
    },
  }),
  Pipeline: closed({
    at: { type: 'string', format: 'date-time' },
    edge: closed(
      { processes: { type: 'integer', minimum: 0, description: 'Those that have reported.' }, ...errors },
      'The edges, which read no topic in a group.',
    ),
    stages: { type: 'array', items: schemaRef('StageLag') },
    processes: {
      type: 'array',
      items: schemaRef('PipelineProcess'),
      description: 'Those that have reported within an hour. A silent one was stopped or lost.',
    },
  }),
};

/** An answer of the operation. */
export const pipelineExample: Json = {
  at: '2026-01-02T03:04:05.678Z',
  edge: { processes: 2, errors_last_minute: 0, errors_unknown: null },
  stages: [
    {
      ...{ stage: 'sinks/events', topic: 'ingest.events', group: 'telltale.sink.events', state: 'running' },
      ...{ members: 1, lag_records: 1_200, lag_seconds: 34.5, unknown: null },
      waits_for: 'ClickHouse: ClickHouse at http://127.0.0.1:8123 does not answer.',
      ...{ appended_last_minute: 2_100, dead_letters: 0, errors_last_minute: 4, errors_unknown: null },
      partitions: [
        {
          ...{ partition: 0, process: 'telltale-sinks-5f0c8d1e-5c57-4b0e-9a38-6d0c4f2b7a11' },
          ...{ lag_records: 1_200, lag_seconds: 34.5, unknown: null },
        },
      ],
    },
  ],
  processes: [
    {
      ...{ process: '0f8fad5b-d9cb-469f-a165-70867728950e', role: 'sinks' },
      ...{ reported_at: '2026-01-02T03:04:00.000Z', errors_last_minute: 4 },
    },
  ],
};

const getPipeline: Operation = {
  operationId: 'getPipeline',
  tags: ['Operating'],
  summary: 'How far each stage is behind, in records and seconds, and what it waits for',
  description:
    'What `telltale lag --json` prints, and the errors that processes report every 15 seconds. It covers the whole installation, and shows nobody’s data.',
  security: [{ apiKey: ['read'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer('The stages, in the order of the pipeline.', schemaRef('Pipeline'), pipelineExample),
    ...problems(...shared, 'Unavailable'),
  },
};

export const pipelinePaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/pipeline': { get: getPipeline },
};
