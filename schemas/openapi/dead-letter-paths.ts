import { parameterRef, schemaRef, type Operation, type PathItem, type Schema } from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed } from './schema-kinds.js';

const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const timestampOf = (description: string): Schema => ({ type: 'string', format: 'date-time', description });

const properties: Readonly<Record<string, Schema>> = {
  stage: { type: 'string', description: 'The stage that could not process the records.' },
  code: { type: 'string', description: 'Why, as a stable code.' },
  open: count('Nobody has decided about them.'),
  replayed: count('They went back to the topic that they came from.'),
  discarded: count('They stay dead, and a reason is kept.'),
  oldest_at: timestampOf('When the oldest became a dead letter.'),
  newest_at: timestampOf('When the newest did.'),
};

const reason: Schema = {
  type: ['string', 'null'],
  maxLength: 500,
  description: 'What was fixed; it is kept with the decision.',
};
const name: Schema = { type: 'string', minLength: 1, maxLength: 200 };

const replaySchemas: Readonly<Record<string, Schema>> = {
  DeadLetterReplay: {
    anyOf: [
      {
        type: 'object',
        properties: {
          ids: { type: 'array', items: name, minItems: 1, maxItems: 100, description: 'These letters.' },
          reason,
        },
        required: ['ids'],
        additionalProperties: false,
      },
      {
        type: 'object',
        description: 'The open letters of a stage and code, the oldest 1,000.',
        properties: { stage: name, code: name, reason },
        required: ['stage', 'code'],
        additionalProperties: false,
      },
    ],
  },
  ReplayedDeadLetters: closed({
    replayed: count('How many went back.'),
    left: count('How many are still open: ask again.'),
    decided_before: {
      type: 'array',
      items: { type: 'string' },
      description: 'Those of the `ids` that were already decided, so nothing was done.',
    },
    unknown: {
      type: 'array',
      items: { type: 'string' },
      description: 'Those of the `ids` that no dead letter has.',
    },
  }),
};

export const deadLetterSchemas: Readonly<Record<string, Schema>> = {
  ...replaySchemas,
  DeadLetters: {
    type: 'object',
    properties: {
      dead_letters: {
        type: 'array',
        description: 'One for each stage and code, those with the most open letters first.',
        items: {
          type: 'object',
          properties,
          required: Object.keys(properties),
          additionalProperties: false,
        },
      },
      newest: {
        type: ['array', 'null'],
        description:
          'The newest 100 undecided letters, newest first; null for admins of workspaces other than `default`, because the owner of an unreadable record is unknown.',
        items: closed({
          id: { type: 'string', description: '`telltale dead-letters show|replay|discard` takes it.' },
          at: timestampOf('When it became a dead letter.'),
          stage: { type: 'string' },
          code: { type: 'string' },
          reason: {
            type: 'string',
            description: 'The reason in words. Quoted text is left out, because it may come from the record.',
          },
          topic: { type: 'string', description: 'Where the record came from.' },
          partition: count('Partition of that topic.'),
          offset: count('Offset of the record.'),
          attempts: count('How often it has failed, replays included.'),
        }),
      },
    },
    required: ['dead_letters', 'newest'],
    additionalProperties: false,
  },
};

export const deadLetterExample = {
  dead_letters: [
    {
      stage: 'events',
      code: 'ROWS_REJECTED',
      open: 3,
      replayed: 120,
      discarded: 0,
      oldest_at: '2026-01-15T12:00:00.000Z',
      newest_at: '2026-01-15T12:05:31.250Z',
    },
  ],
  newest: [
    {
      ...{ id: '3f5a1c2b4d6e7c1b', at: '2026-01-15T12:05:31.250Z', stage: 'events', code: 'ROWS_REJECTED' },
      ...{ reason: 'ClickHouse refuses the row.', topic: 'ingest.events', partition: 0, offset: 4_711 },
      attempts: 1,
    },
  ],
};

const countDeadLetters: Operation = {
  operationId: 'countDeadLetters',
  tags: ['Dead letters'],
  summary: 'How many records cannot be processed, by stage and code, and the newest of them',
  description:
    'For the whole installation, not one workspace: an unreadable record belongs to none. An answer is reused for up to five seconds. `telltale dead-letters` lists all of them, and discards them.',
  security: [{ apiKey: ['admin'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer('The counts.', schemaRef('DeadLetters'), deadLetterExample),
    ...problems(...shared, 'Unavailable'),
  },
};

const replayDeadLetters: Operation = {
  operationId: 'replayDeadLetters',
  tags: ['Dead letters'],
  summary: 'Send dead letters back to the topics that they came from',
  description:
    'Only for an admin of the workspace `default`, because dead letters can belong to any workspace. Each letter goes back once, in one transaction with the decision about it, which names the requester: asking again is safe. Fix the cause first: a letter whose cause persists becomes a new one.',
  security: [{ apiKey: ['admin'] }],
  parameters: ['RequestId', 'ContentEncoding'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('DeadLetterReplay'),
        example: { stage: 'events', code: 'ROWS_REJECTED', reason: 'migration 031 was missing' },
      },
    },
  },
  responses: {
    '200': answer('What happened to them.', schemaRef('ReplayedDeadLetters'), {
      ...{ replayed: 3, left: 0, decided_before: [], unknown: [] },
    }),
    ...problems(
      ...shared,
      'BodyTooLarge',
      'UnsupportedMediaType',
      'DeadLetterConflict',
      'Invalid',
      'Unavailable',
    ),
  },
};

export const deadLetterPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/dead-letters': { get: countDeadLetters },
  '/api/v1/dead-letters/replay': { post: replayDeadLetters },
};
