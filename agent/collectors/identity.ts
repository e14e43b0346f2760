import { identify } from '../integration/client/identify.js';
import { CallFailure, failureOf, notOfCluster } from './call-failure.js';
import { longestText } from '../../schemas/snapshots/fields.js';
import { cut, majorOf } from './parse/answer.js';
import type { SearchAnswer } from './client-port.js';
import type { ClusterIdentity } from './section.js';

export const identityPath =
  '/?filter_path=cluster_name,cluster_uuid,tagline,version.number,version.distribution,version.build_flavor';

/**
 * Reads the root's answer. Throws CallFailure if it is not from a cluster that can be watched, or the cluster
 * has not formed yet. Only an answer that says itself that it is something else causes a long pause
 * (`missing`): any other answer can come from a proxy whose cluster is back in a minute.
 */
export function parseIdentity(answer: SearchAnswer): ClusterIdentity {
  const failure = failureOf(answer);
  // Every version answers this path, so a `missing` one is no cluster.
  if (failure !== undefined) throw failure.kind === 'missing' ? notOfCluster(answer) : failure;
  const identified = identify(answer);
  if (!identified.supported) {
    throw new CallFailure(identified.isKnown ? 'missing' : 'broken', identified.reason);
  }
  const { uuid, name, version } = identified.identity;
  if (uuid === null || !/^[\w-]{1,64}$/.test(uuid)) {
    throw new CallFailure('no_master', 'the cluster has not formed yet: it has no UUID');
  }
  return { uuid, name: cut(name, longestText), version: version.slice(0, 64), major: majorOf(version) };
}
