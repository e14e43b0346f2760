import { scores, standardScore } from '../scores.js';
import {
  parameterRef,
  schemaRef,
  type Json,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { problems } from './problems.js';
import { closed, count, inQuery, nullableNumber, timestamp } from './schema-kinds.js';

export const trendParameters: Readonly<Record<string, ParameterObject>> = {
  Score: inQuery(
    'score',
    `The score that is returned, or limited by min and max, by its column; \`${standardScore}\` unless given.`,
    {
      enum: [...scores],
    },
  ),
};

const figures: Readonly<Record<string, Schema>> = {
  results: { ...count, description: 'Results that match the filter.' },
  scored: {
    ...count,
    description: 'Those of them that have the score. If none has, the figures are null.',
  },
  mean: nullableNumber,
  min: nullableNumber,
  max: nullableNumber,
  p05: {
    ...nullableNumber,
    description: '5 % of the values are below it; approximate, like `p50` and `p95`.',
  },
  p50: nullableNumber,
  p95: nullableNumber,
};

export const trendSchemas: Readonly<Record<string, Schema>> = {
  ScoreTrend: closed({
    from: { ...timestamp, description: 'Whole minutes, so the range may be a little longer.' },
    to: timestamp,
    score: { enum: [...scores] },
    step_seconds: {
      ...count,
      description: 'Length of an interval: a minute to a day, depending on the range.',
    },
    whole: closed(figures, 'Of the whole range.'),
    points: {
      type: 'array',
      description: 'Every interval of the range, by time; the first and the last may be only partly in it.',
      items: closed({ at: timestamp, ...figures }),
    },
  }),
};

const bounds = { from: '2026-01-02T11:00:00.000Z', to: '2026-01-02T11:02:00.000Z' };
const some = { results: 4, scored: 3, mean: 0.2, min: -0.1, max: 0.5, p05: -0.1, p50: 0.2, p95: 0.5 };
const none = { results: 0, scored: 0, mean: null, min: null, max: null, p05: null, p50: null, p95: null };

export const trendExample: Json = {
  ...{ ...bounds, score: standardScore, step_seconds: 60, whole: some },
  points: [
    { at: '2026-01-02T11:00:00.000Z', ...some },
    { at: '2026-01-02T11:01:00.000Z', ...none },
  ],
};

export const trendPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/results/trends': {
    get: {
      operationId: 'getScoreTrend',
      tags: ['Results'],
      summary: 'One score over time',
      description:
        'By the time of acceptance of the prompts, in whole minutes. Covers the last day unless `from` says otherwise, and at most the 31 days before `to`. To compare two periods, ask for each. Queries that would read too much get 422: ask for a shorter range.',
      security: [{ apiKey: ['read'] }],
      parameters: [
        ...['Score', 'RangeFrom', 'RangeTo', 'ResultMetric', 'ResultContains', 'ResultOutcome'],
        ...['ResultLane', 'ResultKey', 'ResultLabel', 'ResultMin', 'ResultMax', 'RequestId'],
      ].map(parameterRef),
      responses: {
        '200': answer('The trend.', schemaRef('ScoreTrend'), trendExample),
        ...problems(...shared, 'Invalid', 'Unavailable'),
      },
    },
  },
};
