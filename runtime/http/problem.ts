/**
 * What can go wrong for a client, as RFC 9457 problem details. A closed list: the type is
 * `urn:telltale:problem:<name>`, and the OpenAPI document names each.
 */
export const problemKinds = {
  'malformed-request': { status: 400, title: 'Malformed request' },
  'malformed-body': { status: 400, title: 'Malformed body' },
  unauthorized: { status: 401, title: 'API key refused' },
  forbidden: { status: 403, title: 'Scope missing' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request too slow' },
  conflict: { status: 409, title: 'Conflict' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  invalid: { status: 422, title: 'Invalid request' },
  'rate-limited': { status: 429, title: 'Rate limit exceeded' },
  overloaded: { status: 429, title: 'Too busy' },
  'headers-too-large': { status: 431, title: 'Headers too large' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Unavailable' },
  'metric-unavailable': { status: 503, title: 'Metric unavailable' },
  'deadline-exceeded': { status: 504, title: 'Deadline exceeded' },
} as const;

export type ProblemKind = keyof typeof problemKinds;

/** One thing that is wrong with the body: where (a JSON pointer, RFC 6901), and what to do about it. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  /** Header names and values, alternating. */
  readonly headers?: readonly string[];
}

/** Thrown wherever a request can't be served. Its detail is read by the client: it never holds a secret. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: readonly string[];

  constructor(kind: ProblemKind, detail: string, { errors, headers = [] }: ProblemExtras = {}) {
    super(detail);
    this.name = 'Problem';
    this.kind = kind;
    this.errors = errors;
    this.headers = headers;
  }

  get status(): number {
    return problemKinds[this.kind].status;
  }
}

/** Seconds after which a retry makes sense, as a header. */
export function retryAfter(seconds: number): readonly string[] {
  return ['retry-after', String(Math.max(1, Math.ceil(seconds)))];
}

/** A key pasted into a path must not come back in an error. */
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

/** A problem as a body: the form that a path's protocol prescribes. */
export interface ProblemRendering {
  readonly mediaType: string;
  body(problem: Problem, path: string, requestId: string): string;
}

export const problemMediaType = 'application/problem+json';

export const problemDetails: ProblemRendering = { mediaType: problemMediaType, body: problemBody };
