import { couldNotCheckKey, isOfCluster, refusalOf, saysNoMaster } from '../integration/client/refusal.js';
import { SearchCallError, type SearchAnswer } from './client-port.js';
import { cut } from './parse/answer.js';

/**
 * `unauthorized`: no call works any more; `forbidden`: a privilege is missing; `missing`: this version has no
 * such API; `busy`: 429, a time-out or an answer that is too large, after which the cluster is not asked for
 * a while; `no_master`; `broken`: everything else.
 */
export type FailureKind = 'unauthorized' | 'forbidden' | 'missing' | 'busy' | 'no_master' | 'broken';

/**
 * A snapshot has room for 2,048 characters on why a section fails and for 1,024 on why a field is null. Both
 * add words of their own to the reason.
 */
const longestReason = 500;

/**
 * A call whose answer can't be used. Of the answer, `reason` contains at most the error's type, the refused
 * action and the privileges for it: no user, no role and no other text.
 */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  readonly reason: string;

  constructor(kind: FailureKind, reason: string, options?: ErrorOptions) {
    const told = cut(reason, longestReason);
    super(told, options);
    this.name = 'CallFailure';
    this.kind = kind;
    this.reason = told;
  }
}

/** The error types of old versions for an unknown path, parameter or metric. */
const unknownApi: ReadonlySet<string> = new Set([
  'invalid_index_name_exception',
  'api_not_available_exception',
  'illegal_argument_exception',
]);

/** The action and the privileges of a 403. The error's text also names users and roles, which are omitted. */
function privilegesIn(body: unknown): string {
  const { action, grants } = refusalOf(body);
  const needs =
    grants === null ? '' : `; the ${grants.of} privileges ${grants.privileges.join(',')} grant it`;
  return action === null ? 'a privilege is missing' : `the action ${action} is not allowed${needs}`;
}

/** Statuses whose causes last: the call is forbidden, or the version has no such API. */
const lasting: ReadonlySet<number> = new Set([403, 404, 405, 410]);

export function notOfCluster({ status }: SearchAnswer): CallFailure {
  return new CallFailure(
    'broken',
    `the ${status} does not come from the cluster: is there a proxy in front of it, or another server?`,
  );
}

function refusedCredentials(body: unknown): CallFailure {
  return couldNotCheckKey(body)
    ? new CallFailure(
        'broken',
        'the cluster could not check the API key (401): it may still be starting, or has no API keys yet',
      )
    : new CallFailure('unauthorized', 'the credentials were refused (401)');
}

/** Why an answer can't be used; undefined if it can. `error` can be an object, a text or absent. */
export function failureOf(answer: SearchAnswer): CallFailure | undefined {
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    return typeof body === 'object' && body !== null
      ? undefined
      : new CallFailure('broken', 'the cluster answered with something that is not JSON');
  }
  const type = refusalOf(body).type ?? 'no reason given';
  if (status === 401) return refusedCredentials(body);
  if (status === 403 && type === 'cluster_block_exception')
    return new CallFailure('broken', 'a block on the cluster or on one of the indices forbids it (403)');
  if (lasting.has(status) && !isOfCluster(body)) return notOfCluster(answer);
  if (status === 403) return new CallFailure('forbidden', privilegesIn(body));
  if (status === 429) return new CallFailure('busy', `the cluster is too busy (429, ${type})`);
  if (saysNoMaster(type)) return new CallFailure('no_master', 'the cluster has no elected master');
  const missing = lasting.has(status) || (status === 400 && unknownApi.has(type));
  return missing
    ? new CallFailure('missing', `this version does not have the API (${status}, ${type})`)
    : new CallFailure('broken', `the cluster answered ${status} (${type})`);
}

/** The same for a call that was never answered. */
export function failureOfThrown(thrown: unknown): CallFailure {
  if (thrown instanceof CallFailure) return thrown;
  if (!(thrown instanceof SearchCallError)) {
    return new CallFailure('broken', thrown instanceof Error ? thrown.message : String(thrown), {
      cause: thrown,
    });
  }
  const kind = thrown.failure === 'timeout' || thrown.failure === 'too_large' ? 'busy' : 'broken';
  return new CallFailure(kind, thrown.reason, { cause: thrown });
}

/** Adds the endpoint to a reason that does not name it: other readers do not see integration.json. */
export function withEndpoint(failure: CallFailure, endpoint: string): CallFailure {
  const { kind, reason, cause } = failure;
  const isLate = cause instanceof SearchCallError && cause.failure === 'timeout';
  return kind === 'unauthorized' || isLate
    ? new CallFailure(kind, `${reason} at ${endpoint}`, { cause })
    : failure;
}
