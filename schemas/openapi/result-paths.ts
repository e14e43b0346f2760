import { metricDeclarations } from '../metrics.js';
import {
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { cursor, filtered } from './cluster-paths.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import {
  closed,
  count,
  inQuery,
  timestamp,
  next,
  nullableNumber,
  nullableText,
  text,
} from './schema-kinds.js';

const id = '0198a6a0-7c1e-7b52-8d0e-3f5a1c2b4d6e';
const at = '2026-01-02T03:04:05.678901Z';
const name: Schema = { type: 'string', minLength: 1, maxLength: 200 };
const bound: Schema = { type: 'number' };
const metricKeys: readonly string[] = [...metricDeclarations.map(({ key }) => key), 'all'];

export const resultParameters: Readonly<Record<string, ParameterObject>> = {
  ResultMetric: {
    ...{ name: 'metric', in: 'query', required: false },
    description: 'Only results of this metric, by its key; `all` is the combined call.',
    schema: { enum: [...metricKeys] },
  },
  ResultContains: {
    ...{ name: 'contains', in: 'query', required: false },
    description: 'Only results whose prompt contains this text, in letters of any case.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  ResultOutcome: {
    ...{ name: 'outcome', in: 'query', required: false },
    description: 'Only what was scored, or only what failed.',
    schema: { enum: ['scored', 'failed'] },
  },
  ResultLane: inQuery(
    'lane',
    'Only tasks, or only real-time calls. Tasks that are stored have ended: what is queued or being processed is not in the list.',
    { enum: ['task', 'realtime'] },
  ),
  ResultKey: inQuery('key', 'Only results of requests made with this API key, given by its id.', name),
  ResultLabel: inQuery(
    'label',
    'Only results in whose prompt or response this was found: a topic such as finance, a group of patterns such as SSN, or a type of personal data such as CREDIT_CARD.',
    name,
  ),
  ResultMin: inQuery(
    'min',
    'Only results whose `score` is at least this. Results without the score are left out.',
    bound,
  ),
  ResultMax: inQuery('max', 'Only results whose `score` is at most this.', bound),
  ResultCursor: cursor('r-\\d{1,16}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', filtered),
};

const common: Readonly<Record<string, Schema>> = {
  lane: { enum: ['task', 'realtime'] },
  metric: { enum: [...metricKeys] },
  key_id: {
    ...text,
    description: 'The API key that asked; `dashboard` for a person who signed in without one.',
  },
  error: { ...nullableText, description: 'Why there are no scores; null if there are.' },
};

export const resultSchemas: Readonly<Record<string, Schema>> = {
  Result: closed(
    {
      id: { type: 'string', format: 'uuid' },
      accepted_at: timestamp,
      prompt: { ...text, description: 'Its first 200 characters.' },
      prompt_cut: { type: 'boolean', description: 'The prompt is longer.' },
      has_response: { type: 'boolean' },
      ...common,
      prompt_sentiment_lexicon: nullableNumber,
      prompt_toxicity: nullableNumber,
      prompt_closest_topic: nullableText,
      prompt_has_patterns: nullableText,
      prompt_pii_engine_entities_count: nullableNumber,
      prompt_flesch_reading_ease: nullableNumber,
    },
    'A scored prompt in a list. Null: not computed, or not asked for.',
  ),
  Results: closed({
    from: { ...timestamp, description: 'Start of the list: at most 31 days before its end.' },
    to: timestamp,
    results: { type: 'array', description: 'Newest first.', items: schemaRef('Result') },
    next,
  }),
  WholeResult: closed(
    {
      id: { type: 'string', format: 'uuid' },
      ...common,
      prompt: text,
      response: nullableText,
      metrics: {
        type: ['object', 'null'],
        description: 'The metric objects by key, as the real-time call returns them.',
        additionalProperties: { type: 'object', additionalProperties: true },
      },
      unavailable: {
        type: 'object',
        description: 'The reason for each metric that could not be computed.',
        additionalProperties: { type: 'string' },
      },
      scorer_versions: { type: 'object', additionalProperties: { type: 'string' } },
      pattern_places: {
        type: 'object',
        description:
          'First position of the sensitive pattern that the metrics name, in code points, in `prompt` or `response`. Empty if none was found, and in results of versions that did not store it.',
        additionalProperties: closed({
          start: count,
          end: { ...count, description: 'The code point after its last.' },
        }),
      },
      accepted_at: { ...timestamp, description: 'When the edge accepted the request.' },
      appended_at: { ...timestamp, description: 'When Kafka had the request.' },
      taken_at: { ...timestamp, description: 'When a processor started on it.' },
      scored_at: { ...timestamp, description: 'When its scores were computed.' },
      result_appended_at: { ...timestamp, description: 'When Kafka had the result.' },
      inserted_at: { ...timestamp, description: 'When ClickHouse had it.' },
    },
    'One result with its texts and all of its figures.',
  ),
};

const commonExample = { lane: 'task', metric: 'text_sentiment', key_id: 'k7mq2x4pzt3a', error: null };
const prompt = 'The ferry was late, but the crew was lovely.';

/** An answer of each operation. */
export const resultExamples: Readonly<Record<'list' | 'one', Json>> = {
  list: {
    from: '2026-01-01T12:00:00.000Z',
    to: '2026-01-02T12:00:00.000Z',
    results: [
      {
        ...{ id, accepted_at: at, prompt, prompt_cut: false, has_response: false, ...commonExample },
        ...{ prompt_sentiment_lexicon: 0.7269, prompt_toxicity: null, prompt_closest_topic: null },
        ...{ prompt_has_patterns: null, prompt_pii_engine_entities_count: null },
        prompt_flesch_reading_ease: null,
      },
    ],
    next: null,
  },
  one: {
    ...{ id, ...commonExample, prompt, response: null },
    metrics: { text_sentiment: { 'prompt.sentiment_lexicon': 0.7269, created_at: at } },
    ...{ unavailable: {}, scorer_versions: { text_sentiment: 'vader/1' }, pattern_places: {} },
    ...{ accepted_at: at, appended_at: at, taken_at: at, scored_at: at, result_appended_at: at },
    inserted_at: '2026-01-02T03:04:06.012Z',
  },
};

const listResults: Operation = {
  operationId: 'listResults',
  tags: ['Results'],
  summary: 'Scored prompts, newest first',
  description:
    'Of both modes, once stored: a few seconds after they were scored. Covers the last day unless `from` says otherwise, and at most the 31 days before `to`.',
  security: [{ apiKey: ['read'] }],
  parameters: [
    ...['RangeFrom', 'RangeTo', 'ResultMetric', 'ResultContains', 'ResultOutcome'],
    ...[
      'ResultLane',
      'ResultKey',
      'ResultLabel',
      'Score',
      'ResultMin',
      'ResultMax',
      'PageLimit',
      'ResultCursor',
      'RequestId',
    ],
  ].map(parameterRef),
  responses: {
    '200': answer('The results.', schemaRef('Results'), resultExamples.list),
    ...problems(...shared, 'Invalid', 'Unavailable'),
  },
};

const getResult: Operation = {
  operationId: 'getResult',
  tags: ['Results'],
  summary: 'One result: its texts, every figure, and when each step was done',
  security: [{ apiKey: ['read'] }],
  parameters: ['TaskId', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('The result.', schemaRef('WholeResult'), resultExamples.one),
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

export const resultPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/results': { get: listResults },
  '/api/v1/results/{task_id}': { get: getResult },
};
