import type { ProblemKind, ProblemRendering } from '../../runtime/http/problem.js';

/**
 * Problems as OTLP/HTTP prescribes them: a google.rpc.Status as JSON. Its codes are gRPC's; clients use the HTTP
 * status, and retry 429, 502, 503 and 504.
 */
export const otlpStatus: ProblemRendering = {
  mediaType: 'application/json',
  body: ({ kind, message }) => JSON.stringify({ code: codes[kind] ?? unknown, message }),
};

const unknown = 2;
const invalidArgument = 3;
const resourceExhausted = 8;

const codes: Partial<Record<ProblemKind, number>> = {
  'malformed-request': invalidArgument,
  'malformed-body': invalidArgument,
  'unsupported-media-type': invalidArgument,
  invalid: invalidArgument,
  'request-timeout': 4,
  'not-found': 5,
  forbidden: 7,
  'not-open': 7,
  misdirected: invalidArgument,
  'body-too-large': resourceExhausted,
  'headers-too-large': resourceExhausted,
  'rate-limited': resourceExhausted,
  overloaded: resourceExhausted,
  'method-not-allowed': 12,
  'not-implemented': 12,
  internal: 13,
  unavailable: 14,
  unauthorized: 16,
};
