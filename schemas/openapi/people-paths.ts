import {
  parameterRef,
  schemaRef,
  type Operation,
  type ParameterObject,
  type PathItem,
  type Schema,
} from './document-types.js';
import { answer, shared } from './metric-paths.js';
import { commonHeaders, problems, rateLimitHeaders } from './problems.js';
import { closed, nullableText, text, timestamp } from './schema-kinds.js';

const admin = [{ apiKey: ['admin'] }];
const sessionId = '9f86d081884c7d65';

export const peopleSchemas: Readonly<Record<string, Schema>> = {
  Session: closed(
    {
      session_id: { ...text, description: 'Identifies the session, and reveals nothing about its token.' },
      role: { enum: ['viewer', 'admin'] },
      began_by: { enum: ['key', 'link', 'identity provider'] },
      key_id: { ...nullableText, description: 'The API key that started it; it ends with that key.' },
      subject: { ...nullableText, description: 'The person’s name at the identity provider.' },
      signed_in_at: timestamp,
      last_used_at: { ...timestamp, description: 'Accurate to five minutes.' },
      expires_at: { ...timestamp, description: 'When it ends, even if it is used.' },
    },
    'A session of the dashboard.',
  ),
};

export const peopleParameters: Readonly<Record<string, ParameterObject>> = {
  SessionId: {
    name: 'session_id',
    in: 'path',
    required: true,
    description: 'As in the list.',
    schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
    example: sessionId,
  },
};

const list: Operation = {
  operationId: 'listSessions',
  tags: ['People'],
  summary: 'Who is signed in to the dashboard, most recently active first',
  security: admin,
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': answer(
      'The sessions of the workspace.',
      closed({ sessions: { type: 'array', items: schemaRef('Session') } }),
      {
        sessions: [
          {
            ...{
              session_id: sessionId,
              role: 'admin',
              began_by: 'key',
              key_id: 'k7mq2x4pzt3a',
              subject: null,
            },
            ...{ signed_in_at: '2026-01-15T12:00:00.000Z', last_used_at: '2026-01-15T12:30:00.000Z' },
            expires_at: '2026-01-16T00:00:00.000Z',
          },
        ],
      },
    ),
    ...problems(...shared),
  },
};

const end: Operation = {
  operationId: 'endSession',
  tags: ['People'],
  summary: 'End a session',
  description: 'Refused on every edge within a second. Ending twice changes nothing.',
  security: admin,
  parameters: ['SessionId', 'RequestId'].map(parameterRef),
  responses: {
    '204': { description: 'The session has ended.', headers: { ...commonHeaders, ...rateLimitHeaders } },
    ...problems(...shared, 'NotFound', 'Unavailable'),
  },
};

export const peoplePaths: Readonly<Record<string, PathItem>> = {
  '/api/v1/sessions': { get: list },
  '/api/v1/sessions/{session_id}': { delete: end },
};
