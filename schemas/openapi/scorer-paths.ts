import { metricDeclarations } from '../metrics.js';
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

const root = '/api/v1/monitoring/metrics';
const texts: Schema = { type: 'array', items: { type: 'string' } };

const properties: Readonly<Record<string, Schema>> = {
  metric: { enum: metricDeclarations.map(({ key }) => key) },
  title: { type: 'string' },
  path: { type: 'string', description: 'Where it is computed.' },
  version: {
    type: ['string', 'null'],
    description: 'As stored with every result; changes whenever a value for any text may change.',
  },
  models: { ...texts, description: 'Models that it uses.' },
  languages: {
    ...texts,
    description:
      'BCP 47: the languages it was made and measured for. Other languages are scored, but less well.',
  },
  thresholds: {
    type: 'object',
    description:
      'By key of the result: the value from which something counts as found. Entities of personal data that score less are left out; other values are returned unchanged.',
    additionalProperties: { type: 'number' },
  },
  needs: {
    type: 'array',
    description: 'What it needs to compute all its values.',
    items: { enum: ['response', 'embedding model', 'language model'] },
  },
  available: { type: 'boolean', description: 'Whether a request for only this metric gets a result here.' },
  unavailable: {
    type: ['string', 'null'],
    description: 'Why it is not available, or which of its values are not and why; null if all are.',
  },
  reported_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When a processor last found a change; null if none has reported yet.',
  },
};

export const scorerSchemas: Readonly<Record<string, Schema>> = {
  Scorer: {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
  Scorers: {
    type: 'object',
    properties: {
      scorers: {
        type: 'array',
        description: 'One per metric.',
        items: schemaRef('Scorer'),
        minItems: metricDeclarations.length,
        maxItems: metricDeclarations.length,
      },
    },
    required: ['scorers'],
    additionalProperties: false,
  },
};

const example: Json = {
  scorers: metricDeclarations.map(({ key, title, path }) => ({
    metric: key,
    title,
    path: `${root}/${path}`,
    version: key === 'text_toxicity' ? 'toxicity-linear/4 all-MiniLM-L6-v2' : null,
    models: key === 'text_toxicity' ? ['toxicity-linear/4', 'all-MiniLM-L6-v2'] : [],
    languages: ['en'],
    thresholds: key === 'text_toxicity' ? { 'prompt.toxicity': 0.5 } : {},
    needs: key === 'text_toxicity' ? ['embedding model'] : [],
    available: key === 'text_toxicity',
    unavailable:
      key === 'text_toxicity' ? null : 'No processor has reported yet that it computes this metric.',
    reported_at: key === 'text_toxicity' ? '2026-01-02T03:04:05.678901Z' : null,
  })),
};

const listScorers: Operation = {
  operationId: 'listScorers',
  tags: ['Scorers'],
  summary: 'What computes each metric, and whether it is available',
  description: 'As the running processors report it; they check every minute.',
  security: [{ apiKey: ['metrics'] }, { apiKey: ['read'] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer('The scorers, in the order of the metrics.', schemaRef('Scorers'), example),
    ...problems(...shared),
  },
};

export const scorerPaths: Readonly<Record<string, PathItem>> = {
  [`${root}/scorers`]: { get: listScorers },
};
