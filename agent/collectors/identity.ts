import { identify } from '../integration/client/identify.js';
import { refusalOf } from '../integration/client/refusal.js';
import { CallFailure, failureOf } from './call-failure.js';
import { majorOf } from './parse/answer.js';
import type { SearchAnswer } from './client-port.js';
import type { ClusterIdentity } from './section.js';

export const identityPath =
  '/?filter_path=cluster_name,cluster_uuid,tagline,version.number,version.distribution,version.build_flavor';

/**
 * From the root's answer; throws CallFailure where it is no cluster that can be watched, or has not formed yet. Only what
 * says itself that it is something else is left alone for long (`missing`): any other answer may be that of a proxy
 * whose cluster is back in a minute.
 */
export function parseIdentity(answer: SearchAnswer): ClusterIdentity {
  const failure = failureOf(answer);
  if (failure !== undefined) throw isOfCluster(failure, answer) ? failure : notOfCluster(answer);
  const identified = identify(answer);
  if (!identified.supported) {
    throw new CallFailure(identified.isKnown ? 'missing' : 'broken', identified.reason);
  }
  const { uuid, name, version } = identified.identity;
  if (uuid === null || !/^[\w-]{1,64}$/.test(uuid)) {
    throw new CallFailure('no_master', 'the cluster has not formed yet: it has no UUID');
  }
  return { uuid, name, version: version.slice(0, 64), major: majorOf(version) };
}

/** Every version has a root, and an Elasticsearch that forbids it says so in an error of its own. */
function isOfCluster({ kind }: CallFailure, { body }: SearchAnswer): boolean {
  return kind === 'forbidden' ? refusalOf(body).type !== null : kind !== 'missing';
}

function notOfCluster({ status }: SearchAnswer): CallFailure {
  return new CallFailure(
    'broken',
    `GET / is answered with ${status}, which is not a cluster's answer: is there a proxy before it, or another server?`,
  );
}
