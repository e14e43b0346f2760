import { combined, metricKeys } from '../metrics.js';
import { parameterRef, schemaRef, type Operation, type PathItem, type Schema } from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';

const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const text = (description: string): Schema => ({ type: 'string', description });
const timestampOrNull = (description: string): Schema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
});

const bound = (description: string): Schema => ({
  type: ['string', 'integer', 'null'],
  format: 'date-time',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
});
const rate: Schema = {
  type: ['number', 'null'],
  minimum: 1,
  description: 'Most records per second; null or absent: as fast as live work leaves room for.',
};

/** The sinks of cli/sinks.ts. */
export const replayedSinks = [
  ...['scoring-results', 'events', 'spans'],
  ...['cluster-overview', 'cluster-nodes', 'cluster-indices', 'cluster-shards', 'cluster-tasks'],
  ...['cluster-recoveries', 'cluster-health', 'slow-operations'],
] as const;

const properties: Readonly<Record<string, Schema>> = {
  id: text('Identical requests have the same id.'),
  kind: { enum: ['scoring', 'import', 'table'] },
  what: text('What goes through the pipeline again, in words.'),
  status: { enum: ['queued', 'running', 'paused', 'done', 'cancelled', 'failed'] },
  records: count('How many are done.'),
  total: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'How many there are; null if not known yet.',
  },
  failures: count('How many could not be processed; with scoring, they keep their previous result.'),
  rate: { type: ['number', 'null'], minimum: 0, description: 'Records per second; null before the first.' },
  eta_seconds: { type: ['integer', 'null'], minimum: 0, description: 'Until its end; null if unknown.' },
  reason: { type: ['string', 'null'], description: 'Why it has failed.' },
  created_at: { type: 'string', format: 'date-time', description: 'When it was asked for.' },
};

export const replaySchemas: Readonly<Record<string, Schema>> = {
  Replay: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  Replays: {
    type: 'object',
    properties: { replays: { type: 'array', description: 'The newest first.', items: schemaRef('Replay') } },
    required: ['replays'],
    additionalProperties: false,
  },
  NewReplay: { anyOf: [schemaRef('NewScoringReplay'), schemaRef('NewTableReplay')] },
  NewScoringReplay: {
    type: 'object',
    properties: {
      kind: { enum: ['scoring'], description: 'Texts of the workspace are scored again.' },
      metric: {
        enum: [combined, ...metricKeys],
        description: 'Tasks of this metric, and those of all metrics; `all`: every task.',
      },
      from: timestampOrNull(
        'Tasks from then on, read from the stored results if Kafka no longer has them; null or absent: all that Kafka still has.',
      ),
      to: timestampOrNull('Tasks that Kafka received before then; null or absent: up to now.'),
      status: {
        type: 'boolean',
        default: false,
        description: 'Whether the status of a task shows its new result.',
      },
      where: {
        type: 'array',
        maxItems: 20,
        default: [],
        items: {
          type: 'string',
          maxLength: 1_000,
          pattern: '^\\w+ (=|!=|>=?|<=?|has|is) .+$',
          examples: ['prompt_toxicity >= 0.8'],
        },
        description:
          'Tasks and calls whose stored result meets all of these conditions. Columns are those of `telltale.scoring_results`; ' +
          'operators `=`, `!=`, `>`, `>=`, `<`, `<=`, `has` (of a list), `is null`, `is not null`. Not with `status`.',
      },
      rate,
    },
    required: ['kind', 'metric'],
  },
  NewTableReplay: {
    type: 'object',
    properties: {
      kind: {
        enum: ['table'],
        description: 'A table is rebuilt from its topic; only for an admin of the workspace `default`.',
      },
      sink: { enum: [...replayedSinks], description: 'The sink that fills it.' },
      from: bound(
        'From this time, or from this offset of every partition; null or absent: all that Kafka has.',
      ),
      to: bound('Up to this time, or to this offset of every partition; null or absent: up to now.'),
      rate,
    },
    required: ['kind', 'sink'],
  },
};

const example = {
  id: 'scoring-5d41402abc4b',
  kind: 'scoring',
  what: 'text_toxicity of workspace default from 2026-01-02T00:00:00Z',
  status: 'queued',
  ...{ records: 0, total: null, failures: 0, rate: null, eta_seconds: null, reason: null },
  created_at: '2026-01-09T03:04:05.678Z',
};

const list: Operation = {
  operationId: 'listReplays',
  tags: ['Operating'],
  summary: 'The replays of the workspace and their progress',
  security: [{ apiKey: ['admin'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer('The replays and imports.', schemaRef('Replays'), { replays: [example] }),
    ...problems(...shared),
  },
};

const create: Operation = {
  operationId: 'createReplay',
  tags: ['Operating'],
  summary: 'Score the texts of the workspace again with the current scorers, or rebuild a table',
  description:
    'With `scoring`, each result is a new version of its row: `telltale.scoring_results` shows the newest, `telltale.scoring_result_versions` has all of them. With `table`, the sinks fill a shadow table and its rollups from the topic with the current mapping while they continue; then it replaces the table. Repeating a request whose replay has not ended returns that replay: asking again is safe.',
  security: [{ apiKey: ['admin'] }],
  parameters: ['RequestId', 'ContentEncoding'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('NewReplay'),
        example: { kind: 'scoring', metric: 'text_toxicity', from: '2026-01-02T00:00:00Z' },
      },
    },
  },
  responses: {
    '202': answer('The processors, or the sinks, will do it.', schemaRef('Replay'), example),
    ...problems(
      ...shared,
      'BodyTooLarge',
      'UnsupportedMediaType',
      'ReplayConflict',
      'Invalid',
      'Unavailable',
    ),
  },
};

export const replayPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/replays': { get: list, post: create },
};
