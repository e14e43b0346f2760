import { CallFailure } from './call-failure.js';
import { majorOf, textAt } from './parse/answer.js';
import type { ClusterIdentity } from './section.js';

export const identityPath =
  '/?filter_path=cluster_name,cluster_uuid,version.number,version.distribution,version.build_flavor';

/** From the root's answer; throws CallFailure where it is no cluster that can be watched, or has not formed yet. */
export function parseIdentity(answer: unknown): ClusterIdentity {
  const version = textAt(answer, 'version', 'number');
  const distribution = textAt(answer, 'version', 'distribution');
  if (distribution !== null) {
    throw new CallFailure('missing', `the endpoint is ${distribution}, not Elasticsearch`);
  }
  if (textAt(answer, 'version', 'build_flavor') === 'serverless') {
    throw new CallFailure('missing', 'serverless projects have no APIs to be watched by');
  }
  const major = majorOf(version);
  if (version === null || major === null)
    throw new CallFailure('missing', 'the endpoint is not Elasticsearch');
  if (major < 7) throw new CallFailure('missing', `version ${version} is not supported: 7.0 and later are`);
  const uuid = textAt(answer, 'cluster_uuid');
  if (uuid === null || uuid === '_na_' || !/^[\w-]{1,64}$/.test(uuid)) {
    throw new CallFailure('no_master', 'the cluster has not formed yet: it has no UUID');
  }
  return { uuid, name: textAt(answer, 'cluster_name'), version: version.slice(0, 64), major };
}
