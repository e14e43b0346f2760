import { sectionNames } from '../snapshots.js';
import type { Json, Schema } from './document-types.js';

const slot = 1_768_478_400_000;

export const snapshotExample: Json = {
  cluster_uuid: 'Xk2vQ1aBS3yT9d0wZr7p4g',
  cluster_name: 'books',
  cluster_version: '8.14.1',
  section: 'pending_tasks',
  slot,
  interval_seconds: 60,
  collection: '0190f5c4-6a1e-7d3c-8a43-1f0e2d3c4b5a',
  reporter: 'search-1',
  taken_at: slot + 1_250,
  took_ms: 12,
  part: 1,
  parts: 1,
  partial: false,
  unavailable: [],
  body: { tasks_total: 0, tasks: [] },
};

const timestamp: Schema = { type: 'integer', minimum: 0, description: 'Milliseconds since 1970.' };
const text = (maxLength: number): Schema => ({ type: ['string', 'null'], maxLength });

export const snapshotSchemas: Readonly<Record<string, Schema>> = {
  AgentSnapshot: {
    type: 'object',
    description:
      'One section of one search cluster at one time, or one part of it. `slot` is a multiple of the interval; if a slot is collected twice, the first collection counts.',
    properties: {
      cluster_uuid: { type: 'string', pattern: '^[\\w-]{1,64}$', maxLength: 64 },
      cluster_name: text(1_024),
      cluster_version: text(64),
      section: { enum: [...sectionNames] },
      slot: timestamp,
      interval_seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
      collection: { type: 'string', minLength: 1, maxLength: 64 },
      reporter: text(256),
      taken_at: timestamp,
      took_ms: { type: 'number' },
      part: { type: 'integer', minimum: 1, maximum: 10_000 },
      parts: { type: 'integer', minimum: 1, maximum: 10_000 },
      partial: { enum: [true, false] },
      body: { type: 'object', description: 'The figures of the section.', properties: {} },
    },
    required: [
      'cluster_uuid',
      'section',
      'slot',
      'interval_seconds',
      'collection',
      'taken_at',
      'took_ms',
      'part',
      'parts',
      'body',
    ],
  },
};
