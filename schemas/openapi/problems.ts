import {
  headerRef,
  schemaRef,
  type HeaderObject,
  type Reference,
  type ResponseObject,
  type Schema,
} from './document-types.js';

/** Headers of answers. */
export const headers: Readonly<Record<string, HeaderObject>> = {
  RequestId: header('The client’s own `x-request-id` if well-formed, otherwise a new one.', true, {
    type: 'string',
    pattern: '^[A-Za-z0-9._~-]{1,128}$',
  }),
  Location: header('Path of the task’s status, of the answer, or of the key.', true, {
    type: 'string',
    pattern: '^/api/v1/',
  }),
  PreferenceApplied: header('The wait that was applied, if the client asked for one.', false, {
    type: 'string',
    pattern: '^wait=\\d+(\\.\\d+)?$',
  }),
  RetryAfter: header('Seconds after which a retry makes sense.', true, {
    type: 'string',
    pattern: '^[1-9]\\d*$',
  }),
  NextPage: header('The next page (RFC 8288); absent at the end.', false, {
    type: 'string',
    pattern: '^<\\?cursor=[^>]+>; rel="next"$',
  }),
  WwwAuthenticate: header('The scheme.', true, { type: 'string', const: 'Bearer' }),
  Allow: header('The methods that the path supports.', true, { type: 'string', minLength: 1 }),
  CacheControl: header('Answers must not be stored.', true, { type: 'string', const: 'no-store' }),
  RateLimitLimit: rateHeader('Requests that the key or the session may make in a row.', '^\\d+$'),
  RateLimitRemaining: rateHeader('How many of them are left.', '^\\d+$'),
  RateLimitReset: rateHeader('Seconds until all are available again.', '^\\d+$'),
  RateLimitPolicy: rateHeader('The same as a structured field.', '^"key";q=\\d+;w=\\d+$'),
  RateLimit: rateHeader('The same as a structured field.', '^"key";r=\\d+;t=\\d+$'),
};

function header(description: string, required: boolean, schema: Schema): HeaderObject {
  return { description, required, schema };
}

function rateHeader(description: string, pattern: string): HeaderObject {
  return header(`${description} Only if a rate limit is configured.`, false, { type: 'string', pattern });
}

export const commonHeaders: Readonly<Record<string, Reference>> = {
  'X-Request-Id': headerRef('RequestId'),
  'Cache-Control': headerRef('CacheControl'),
};

export const rateLimitHeaders: Readonly<Record<string, Reference>> = {
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
  RateLimit: headerRef('RateLimit'),
};

export const problemSchema: Schema = {
  type: 'object',
  description: 'Problem details (RFC 9457). `type` is stable; `detail` says what to do.',
  properties: {
    type: { type: 'string', pattern: '^urn:telltale:problem:[a-z-]+$' },
    title: { type: 'string', minLength: 1 },
    status: { type: 'integer' },
    detail: { type: 'string', minLength: 1 },
    instance: { type: 'string', description: 'Path of the request, without its query.' },
    request_id: { type: 'string', description: 'As in the header.' },
    errors: {
      type: 'array',
      description: 'If the body is well-formed but invalid: each mistake.',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string', description: 'JSON pointer to the field; empty: the whole body.' },
          detail: { type: 'string', minLength: 1 },
        },
        required: ['pointer', 'detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'request_id'],
  additionalProperties: false,
};

interface ProblemDeclaration {
  readonly status: number;
  readonly kinds: readonly string[];
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly errors?: true;
}

const retry = { 'Retry-After': headerRef('RetryAfter') };

/** The problems by the name of their response component. */
const declarations = {
  BadRequest: {
    status: 400,
    kinds: ['malformed-request', 'malformed-body'],
    description: 'Not valid HTTP, JSON, UTF-8 or compressed data, or a malformed header.',
  },
  Unauthorized: {
    status: 401,
    kinds: ['unauthorized'],
    description: 'The API key is missing, unknown, revoked or expired.',
    headers: { 'WWW-Authenticate': headerRef('WwwAuthenticate') },
  },
  Forbidden: { status: 403, kinds: ['forbidden'], description: 'The API key lacks the scope.' },
  NotOpen: {
    status: 403,
    kinds: ['not-open'],
    description: 'Not open to this client: a web page of another origin, or a program of another machine.',
  },
  NotFound: {
    status: 404,
    kinds: ['not-found'],
    description: 'Unknown path, or nothing with that id in the workspace of the key.',
  },
  MethodNotAllowed: {
    status: 405,
    kinds: ['method-not-allowed'],
    description: 'The path does not support this method.',
    headers: { Allow: headerRef('Allow') },
  },
  RequestTimeout: {
    status: 408,
    kinds: ['request-timeout'],
    description: 'The request did not arrive in time.',
  },
  IdempotencyConflict: {
    status: 409,
    kinds: ['conflict'],
    description: 'The Idempotency-Key was used for another request within a day.',
  },
  KeyConflict: { status: 409, kinds: ['conflict'], description: 'The key was revoked or has expired.' },
  KeysConflict: {
    status: 409,
    kinds: ['conflict'],
    description: 'The workspace has 1,000 keys in force: revoke those that nobody uses.',
  },
  ReplayConflict: {
    status: 409,
    kinds: ['conflict'],
    description: 'Another replay of the table, with other bounds, has not ended.',
  },
  DeadLetterConflict: {
    status: 409,
    kinds: ['conflict'],
    description: 'The edge is sending other dead letters back.',
  },
  BatchConflict: {
    status: 409,
    kinds: ['conflict'],
    description:
      'Another spool uses this id: a later batch, or a different one with this number, was already accepted. Use a new spool id.',
  },
  BodyTooLarge: {
    status: 413,
    kinds: ['body-too-large'],
    description: 'The body is over the limit of the path, before or after decompression.',
  },
  UnsupportedMediaType: {
    status: 415,
    kinds: ['unsupported-media-type'],
    description: 'Not the media type of the path, not UTF-8, or an unknown Content-Encoding.',
  },
  Misdirected: {
    status: 421,
    kinds: ['misdirected'],
    description: 'The Host header has a name that is not the server’s.',
  },
  Invalid: {
    status: 422,
    kinds: ['invalid'],
    description: 'Well-formed but invalid: a wrong type, a missing field, a text that is too long.',
    errors: true,
  },
  TooManyRequests: {
    status: 429,
    kinds: ['rate-limited', 'overloaded'],
    description:
      'Over the rate of the key, or of the session of the dashboard (under `/ui/`), or more requests come in than can be stored or answered in time.',
    headers: { ...retry, ...rateLimitHeaders },
  },
  HeadersTooLarge: {
    status: 431,
    kinds: ['headers-too-large'],
    description: 'The headers are over the limit (16 KiB).',
  },
  NotImplemented: {
    status: 501,
    kinds: ['not-implemented'],
    description: 'A Transfer-Encoding other than chunked.',
  },
  Unavailable: {
    status: 503,
    kinds: ['unavailable'],
    description: 'The request cannot be stored or answered at the moment; nothing was promised.',
    headers: retry,
  },
  MetricUnavailable: {
    status: 503,
    kinds: ['unavailable', 'metric-unavailable'],
    description: 'As above; or the metric cannot be computed, and `detail` is the reason.',
    headers: { ...retry, 'Preference-Applied': headerRef('PreferenceApplied') },
  },
  DeadlineExceeded: {
    status: 504,
    kinds: ['deadline-exceeded'],
    description: 'The result was not there within the deadline. `detail` names the task endpoint.',
    headers: { 'Preference-Applied': headerRef('PreferenceApplied') },
  },
} as const satisfies Readonly<Record<string, ProblemDeclaration>>;

export type ProblemName = keyof typeof declarations;

function responseOf(declaration: ProblemDeclaration): ResponseObject {
  const { status, kinds, description, errors } = declaration;
  const types = kinds.map((kind) => `urn:telltale:problem:${kind}`);
  return {
    description,
    headers: { ...commonHeaders, ...declaration.headers },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [schemaRef('Problem')],
          properties: { status: { const: status }, type: { enum: types } },
          ...(errors === true ? { required: ['errors'] } : {}),
        },
        example: {
          type: types[0] ?? '',
          title: titleOf(kinds[0] ?? ''),
          status,
          detail: description,
          instance: '/api/v1/monitoring/metrics/text-metrics',
          request_id: 'b7c1f0de-6d0f-4c5a-9b53-3f6f2b1a7e10',
          ...(errors === true
            ? { errors: [{ pointer: '/prompt', detail: '`prompt` is missing. Send it as a string.' }] }
            : {}),
        },
      },
    },
  };
}

function titleOf(kind: string): string {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const problemResponses: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  Object.entries(declarations).map(([name, declaration]) => [name, responseOf(declaration)]),
);

/** References to the named problems, by status. */
export function problems(...names: readonly ProblemName[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    names.map((name) => [String(declarations[name].status), { $ref: `#/components/responses/${name}` }]),
  );
}
