import { parameterRef, schemaRef, type Operation, type PathItem, type Schema } from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';

const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const moment = (description: string): Schema => ({ type: 'string', format: 'date-time', description });

const properties: Readonly<Record<string, Schema>> = {
  stage: { type: 'string', description: 'The stage that could not process the records.' },
  code: { type: 'string', description: 'Why, as a stable code.' },
  open: count('Nobody has decided about them.'),
  replayed: count('They went back to the topic that they came from.'),
  discarded: count('They stay dead, and a reason is kept.'),
  oldest_at: moment('When the oldest became a dead letter.'),
  newest_at: moment('When the newest did.'),
};

export const deadLetterSchemas: Readonly<Record<string, Schema>> = {
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
    },
    required: ['dead_letters'],
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
};

const countDeadLetters: Operation = {
  operationId: 'countDeadLetters',
  tags: ['Dead letters'],
  summary: 'How many records can not be processed, by stage and code',
  description:
    'Of the whole installation, not of one workspace: what can not be read belongs to none. Read when asked, and the same for up to five seconds. `telltale dead-letters` lists them, sends them back and discards them.',
  security: [{ apiKey: ['admin'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer('The counts.', schemaRef('DeadLetters'), deadLetterExample),
    ...problems(...shared, 'Unavailable'),
  },
};

export const deadLetterPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/dead-letters': { get: countDeadLetters },
};
