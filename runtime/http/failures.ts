import { TelltaleError, type ErrorCode } from '../errors.js';
import { Problem, retryAfter } from './problem.js';

/** The client closed its connection: there is nobody to answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/** Errors behind the edge after which nothing was promised and the client may try again. */
const outages: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'KAFKA_UNREACHABLE',
  'VIEW_NOT_READ',
  'TASK_STATUS_AWAY',
  'REGISTRY_UNREACHABLE',
  'BUFFER_FULL',
  'APPEND_FAILED',
  'APPEND_TIMED_OUT',
  'PRODUCER_FENCED',
  'SPOOL_FULL',
  'SPOOL_BROKEN',
]);

export function outage(): Problem {
  return new Problem(
    'unavailable',
    'The service cannot store the request at the moment, and nothing was promised. Try again; with the same Idempotency-Key or Batch-Id, if the endpoint takes one, this is safe even if this try got through.',
    { headers: retryAfter(1) },
  );
}

/** The 429 for a body that exceeds the share of memory that its key may use. */
export function overShare(): Problem {
  return new Problem(
    'overloaded',
    'More bodies of this API key are coming in at once than there is room for. Try again in a second, with fewer at once.',
    { headers: retryAfter(1) },
  );
}

/** What the client is told about an error. It never contains internals of the service. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof TelltaleError && outages.has(thrown.code)) return outage();
  if (thrown instanceof URIError)
    return new Problem(
      'malformed-request',
      'The path has a percent sign that does not start a valid escape.',
    );
  return new Problem(
    'internal',
    'The service failed unexpectedly. Find the cause in the log by the request id.',
  );
}
