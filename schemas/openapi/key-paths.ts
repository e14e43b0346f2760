import {
  headerRef,
  parameterRef,
  schemaRef,
  type Json,
  type Operation,
  type ParameterObject,
  type PathItem,
  type ResponseObject,
  type Schema,
} from './document-types.js';
import { keyLinks } from './links.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';
import { timestamp, nullableTimestamp } from './schema-kinds.js';

const scopes = ['metrics', 'events', 'agent', 'read', 'admin'];
const admin = [{ apiKey: ['admin'] }];

const keyExample = {
  key_id: 'k7mq2x4pzt3a',
  workspace: 'default',
  name: 'checkout service',
  scopes: ['metrics', 'read'],
  state: 'active',
  created_at: '2026-01-15T12:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: '2026-01-15T12:30:00.000Z',
};

const keyProperties: Readonly<Record<string, Schema>> = {
  key_id: { type: 'string', minLength: 1 },
  workspace: { type: 'string', minLength: 1 },
  name: { type: 'string' },
  scopes: { type: 'array', items: { enum: scopes } },
  state: { enum: ['active', 'expired', 'revoked'] },
  created_at: timestamp,
  expires_at: nullableTimestamp,
  revoked_at: nullableTimestamp,
  last_used_at: {
    ...nullableTimestamp,
    description: 'To the minute, on any edge; null if no use is known.',
  },
};

export const keySchemas: Readonly<Record<string, Schema>> = {
  Key: {
    type: 'object',
    description: 'A key, without its secret.',
    properties: keyProperties,
    required: Object.keys(keyProperties),
    additionalProperties: false,
  },
  IssuedKey: {
    type: 'object',
    description: 'A key with its new secret, which is shown this once.',
    properties: { key: { type: 'string', pattern: '^tt_[^_]+_[A-Za-z0-9_-]{43}$' }, ...keyProperties },
    required: ['key', ...Object.keys(keyProperties)],
    additionalProperties: false,
  },
  NewKey: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' },
      scopes: { type: 'array', minItems: 1, items: { enum: scopes } },
      expires_at: {
        ...nullableTimestamp,
        description: 'A future timestamp, before the year 2200; null or absent: never.',
      },
    },
    required: ['name', 'scopes'],
  },
};

export const keyParameters: Readonly<Record<string, ParameterObject>> = {
  KeyId: {
    name: 'key_id',
    in: 'path',
    required: true,
    description: 'The public half of a key.',
    schema: { type: 'string', pattern: '^[a-z2-7]{1,64}$' },
    example: keyExample.key_id,
  },
};

const shared = [
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'RequestTimeout',
  'TooManyRequests',
  'HeadersTooLarge',
] as const;

function answer(description: string, schema: string, example: Json, located = false): ResponseObject {
  return {
    description,
    headers: {
      ...commonHeaders,
      ...rateLimitHeaders,
      ...(located ? { Location: headerRef('Location') } : {}),
    },
    content: { 'application/json': { schema: schemaRef(schema), example } },
  };
}

const issuedExample = { key: `tt_k7mq2x4pzt3a_${'x'.repeat(43)}`, ...keyExample };

const list: Operation = {
  operationId: 'listKeys',
  tags: ['Keys'],
  summary: 'The keys of the workspace, oldest first',
  security: admin,
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': {
      ...answer('The keys.', 'Key', null),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { keys: { type: 'array', items: schemaRef('Key') } },
            required: ['keys'],
            additionalProperties: false,
          },
          example: { keys: [keyExample] },
        },
      },
    },
    ...problems(...shared),
  },
};

const create: Operation = {
  operationId: 'createKey',
  tags: ['Keys'],
  summary: 'Make a key',
  description: 'Every edge accepts it within a second. A workspace has at most 1,000 in force.',
  security: admin,
  parameters: ['RequestId', 'ContentEncoding'].map(parameterRef),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaRef('NewKey'),
        example: { name: 'checkout service', scopes: ['metrics', 'read'] },
      },
    },
  },
  responses: {
    '201': {
      ...answer('The key and its secret.', 'IssuedKey', issuedExample, true),
      links: keyLinks(),
    },
    ...problems(...shared, 'KeysConflict', 'BodyTooLarge', 'UnsupportedMediaType', 'Invalid', 'Unavailable'),
  },
};

const read: Operation = {
  operationId: 'getKey',
  tags: ['Keys'],
  summary: 'One key',
  security: admin,
  parameters: ['KeyId', 'RequestId'].map(parameterRef),
  responses: { '200': answer('The key.', 'Key', keyExample), ...problems(...shared, 'NotFound') },
};

const revoke: Operation = {
  operationId: 'revokeKey',
  tags: ['Keys'],
  summary: 'Revoke a key permanently',
  description: 'Refused on every edge within a second. Revoking twice changes nothing.',
  security: admin,
  parameters: ['KeyId', 'RequestId'].map(parameterRef),
  responses: {
    '204': { description: 'The key is revoked.', headers: { ...commonHeaders, ...rateLimitHeaders } },
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

const rotate: Operation = {
  operationId: 'rotateKey',
  tags: ['Keys'],
  summary: 'Give a key a new secret',
  description:
    'The old secret is refused within a second. To use both for a while, make a second key and revoke the first.',
  security: admin,
  parameters: ['KeyId', 'RequestId'].map(parameterRef),
  responses: {
    '200': answer('The key and its new secret.', 'IssuedKey', issuedExample),
    ...problems(...shared, 'NotFound', 'KeyConflict', 'Unavailable'),
  },
};

export const keyPaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/keys': { get: list, post: create },
  '/api/v1/keys/{key_id}': { get: read, delete: revoke },
  '/api/v1/keys/{key_id}/rotate': { post: rotate },
};
