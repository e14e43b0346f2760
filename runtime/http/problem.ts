/**
 * What can go wrong for a client, as RFC 9457 problem details. A closed list: the type is
 * `urn:telltale:problem:<name>`. The OpenAPI document names each, and docs/errors.md explains it.
 */
export const problemKinds = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    cause: 'The request line, a header or the path is not valid HTTP.',
    cure: 'Correct what `detail` names. An HTTP library builds valid requests by itself.',
  },
  'malformed-body': {
    status: 400,
    title: 'Malformed body',
    cause: 'The body is empty, cut short, wrongly compressed, not UTF-8 or not JSON.',
    cure: 'Send one complete body of the documented media type. `detail` names the position of the first error.',
  },
  unauthorized: {
    status: 401,
    title: 'API key refused',
    cause: 'The API key is missing, unknown, revoked or expired.',
    cure: 'Send `Authorization: Bearer <API_KEY>` with a valid key. An admin key lists all keys at `GET /api/v1/keys`.',
  },
  forbidden: {
    status: 403,
    title: 'Scope missing',
    cause:
      'The API key is valid but lacks the scope of this endpoint, or belongs to a workspace that may not do this.',
    cure: 'Use or make a key with the scope, or of the workspace, that `detail` names.',
  },
  'not-open': {
    status: 403,
    title: 'Not open to this client',
    cause:
      'A web page of another origin called the agent, or a program on another machine asked the edge for its metrics.',
    cure: 'List the origin in `AGENT_ALLOWED_ORIGINS`. For metrics, set `METRICS_TOKEN` or `EDGE_METRICS_PORT`.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    cause: 'The path is unknown, or the resource does not exist in the workspace of this key.',
    cure: 'Check the path, and that the key belongs to the workspace. A task is kept for `STATUS_RETENTION_HOURS`.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path exists but does not support this method.',
    cure: 'Use a method that the `Allow` header lists.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request too slow',
    cause: 'The headers or the body did not arrive in time.',
    cure: 'Send the request again. Over a slow link, send smaller bodies.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    cause:
      'The request contradicts an earlier one: an `Idempotency-Key` with another body, a `Batch-Id` that was already used, or a key that has ended. Or the workspace has reached its limit of keys or sessions.',
    cure: 'Use a new `Idempotency-Key` for new content. For a batch, give each agent a spool of its own. Revoke keys and end sessions that nobody uses.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    cause: 'The body exceeds the limit of the endpoint, as sent or after decompression.',
    cure: 'Send less at once, or raise the limit: `EDGE_BODY_LIMIT_BYTES`, `EDGE_BATCH_LIMIT_BYTES` or `EDGE_AGENT_BODY_LIMIT_BYTES` of the edge, `AGENT_BODY_LIMIT_BYTES` of the agent.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The `Content-Type`, its charset or the `Content-Encoding` is not supported here.',
    cure: 'Send `application/json` in UTF-8, plain or compressed with gzip or deflate.',
  },
  misdirected: {
    status: 421,
    title: 'Not the name of this server',
    cause: 'The `Host` header has a name that this server does not answer to.',
    cure: 'Add the name to `AGENT_ALLOWED_HOSTS` of the agent, or to `OPERATIONS_ALLOWED_HOSTS` of another process.',
  },
  invalid: {
    status: 422,
    title: 'Invalid request',
    cause: 'The request is well-formed, but one of its fields or parameters is not valid.',
    cure: 'Correct each field in `errors`: `pointer` says where it is, `detail` what it accepts.',
  },
  'rate-limited': {
    status: 429,
    title: 'Rate limit exceeded',
    cause: 'The API key, or the session of the dashboard, has used up its rate.',
    cure: 'Wait for the seconds in `Retry-After`. `EDGE_RATE_LIMIT_PER_SECOND` sets the rate.',
  },
  overloaded: {
    status: 429,
    title: 'Too busy',
    cause: 'The server already has as much work in flight as it can hold.',
    cure: 'Wait for the seconds in `Retry-After`, then send the same request again.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    cause: 'All headers together exceed the limit.',
    cure: 'Send fewer or shorter headers. `EDGE_MAX_HEADER_BYTES` sets the limit.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    cause: 'The server failed unexpectedly.',
    cure: 'Search the log for `request_id`: it names the cause.',
  },
  'not-implemented': {
    status: 501,
    title: 'Not implemented',
    cause: 'The request uses a part of HTTP that this server does not implement.',
    cure: 'Send the body with `Content-Length` or as `Transfer-Encoding: chunked`. Compress it by `Content-Encoding`.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    cause: 'A dependency is unavailable, or the process is stopping. Nothing was promised.',
    cure: 'Wait for the seconds in `Retry-After`, then try again. With the same `Idempotency-Key` a retry is safe.',
  },
  'metric-unavailable': {
    status: 503,
    title: 'Metric unavailable',
    cause: 'The metric cannot be computed on this installation at the moment.',
    cure: '`detail` gives the reason. `GET /api/v1/monitoring/metrics/scorers` lists what each metric needs.',
  },
  'deadline-exceeded': {
    status: 504,
    title: 'Deadline exceeded',
    cause: 'The result was not ready within the deadline of the call.',
    cure: 'Submit the text as a task, at the endpoint that `detail` names, or allow more time with `Prefer: wait=<seconds>`.',
  },
} as const;

export type ProblemKind = keyof typeof problemKinds;

/** One error in the body: where it is (a JSON pointer, RFC 6901), and what to do about it. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  /** Header names and values, alternating. */
  readonly headers?: readonly string[];
}

/** Thrown wherever a request can't be served. The client reads its detail, so it never contains a secret. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: readonly string[];

  constructor(kind: ProblemKind, detail: string, { errors, headers = [] }: ProblemExtras = {}) {
    super(detail);
    this.name = 'Problem';
    this.kind = kind;
    this.errors = errors;
    // RFC 9110, 15.5.2: a 401 says how to sign in.
    this.headers = kind === 'unauthorized' ? ['www-authenticate', 'Bearer', ...headers] : headers;
  }

  get status(): number {
    return problemKinds[this.kind].status;
  }
}

/** Seconds after which a retry makes sense, as a header. */
export function retryAfter(seconds: number): readonly string[] {
  return ['retry-after', String(Math.max(1, Math.ceil(seconds)))];
}

/** A key that was pasted into a path must not come back in an error. */
function withoutKeys(path: string): string {
  return path.replace(/tt_[^/]*/g, 'tt_...');
}

/** The body of a problem. `path` is the request's path without its query, which may hold a key. */
export function problemBody(problem: Problem, path: string, requestId: string): string {
  return JSON.stringify({
    type: `urn:telltale:problem:${problem.kind}`,
    title: problemKinds[problem.kind].title,
    status: problem.status,
    detail: problem.message,
    instance: withoutKeys(path),
    request_id: requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  });
}

/** Writes a problem as a body, in the form that the protocol of a path prescribes. */
export interface ProblemRendering {
  readonly mediaType: string;
  body(problem: Problem, path: string, requestId: string): string;
}

export const problemMediaType = 'application/problem+json';

export const problemDetails: ProblemRendering = { mediaType: problemMediaType, body: problemBody };
