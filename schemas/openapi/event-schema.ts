import { eventTypes, longestName } from '../custom-event.js';
import { maxAgeDays } from '../max-age.js';
import type { Schema } from './document-types.js';

/** The fields of a custom event in JSON. */
export const eventProperties: Readonly<Record<string, Schema>> = {
  metric: { type: 'string', minLength: 1, maxLength: longestName, pattern: '\\S', description: 'Its name.' },
  type: {
    enum: eventTypes,
    description:
      'increment and decrement: a step; distribution: one of many values; gauge: a level; percentage: 0..100; systembyte: bytes.',
  },
  value: { type: 'number', description: 'Finite; 0..100 for percentage, not negative for systembyte.' },
  cluster: { type: ['string', 'null'], maxLength: longestName, description: 'Cluster identifier.' },
  timestamp: {
    type: ['string', 'null'],
    format: 'date-time',
    description: `When it happened, in ISO 8601; now by default. At most ${maxAgeDays} days in the past, and a day in the future.`,
  },
};
