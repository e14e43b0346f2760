import { parameterRef, schemaRef, type Operation, type PathItem, type Schema } from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed, nullableNumber, nullableText, text } from './schema-kinds.js';

export const settingsSchemas: Readonly<Record<string, Schema>> = {
  Retention: closed({
    kept: {
      type: 'array',
      items: closed({
        name: text,
        days: {
          ...nullableNumber,
          description: 'Retention in days; null: never deleted by age.',
        },
      }),
    },
    unknown: { ...nullableText, description: 'Why it could not be asked; null if it was.' },
  }),
};

/** An answer of the operation. */
export const settingsExample = {
  topics: {
    kept: [
      { name: 'scoring.requests', days: 7 },
      { name: 'access.api-keys', days: null },
    ],
    unknown: null,
  },
  tables: { kept: [{ name: 'events', days: 400 }], unknown: null },
  limits: [
    {
      ...{ name: 'EDGE_BODY_LIMIT_BYTES', value: 1_048_576 },
      about: 'Largest request body, before and after decompression.',
    },
  ],
};

const getSettings: Operation = {
  operationId: 'getSettings',
  tags: ['Operating'],
  summary: 'Retention, and the limits of the edge that answers',
  description:
    'As Kafka and ClickHouse report it, not as the catalogue declares it. It covers the whole installation, and shows nobody’s data.',
  security: [{ apiKey: ['admin'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer(
      'Retention and limits.',
      closed({
        topics: schemaRef('Retention'),
        tables: schemaRef('Retention'),
        limits: {
          type: 'array',
          items: closed({
            name: { ...text, description: 'The environment variable that sets it.' },
            value: { type: ['number', 'string', 'null'], description: 'Null: it is not set.' },
            about: text,
          }),
        },
      }),
      settingsExample,
    ),
    ...problems(...shared),
  },
};

export const settingsPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/settings': { get: getSettings },
};
