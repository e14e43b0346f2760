import { identify } from '../integration/client/identify.js';
import { CallFailure } from './call-failure.js';
import { majorOf } from './parse/answer.js';
import type { SearchAnswer } from './client-port.js';
import type { ClusterIdentity } from './section.js';

export const identityPath =
  '/?filter_path=cluster_name,cluster_uuid,tagline,version.number,version.distribution,version.build_flavor';

/** From the root's answer; throws CallFailure where it is no cluster that can be watched, or has not formed yet. */
export function parseIdentity(answer: Pick<SearchAnswer, 'body'>): ClusterIdentity {
  const identified = identify(answer);
  if (!identified.supported) throw new CallFailure('missing', identified.reason);
  const { uuid, name, version } = identified.identity;
  if (uuid === null || !/^[\w-]{1,64}$/.test(uuid)) {
    throw new CallFailure('no_master', 'the cluster has not formed yet: it has no UUID');
  }
  return { uuid, name, version: version.slice(0, 64), major: majorOf(version) };
}
