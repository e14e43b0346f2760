import { failureOf } from './call-failure.js';
import type { SearchAnswer } from './client-port.js';
import { valueAt } from './parse/answer.js';
import type { KnownNode } from './parse/nodes.js';
import type { ClusterIdentity, Collection } from './section.js';

/** Of all nodes that said theirs: any of them may take a call, and it refuses one that names what it does not know. */
export function versionsOf(known: readonly KnownNode[], cluster: ClusterIdentity): readonly string[] {
  const told = known.flatMap(({ version }) => version ?? []);
  return told.length > 0 ? told : [cluster.version ?? ''];
}

/**
 * Asks for the metrics that all of these versions know; where the node that takes the call is older still (it did not
 * say, while the cluster is upgraded), for those that every version does. Rejects with CallFailure.
 */
export async function readMetrics(
  { ask }: Pick<Collection, 'ask'>,
  versions: readonly string[],
  pathOf: (versions: readonly string[]) => string,
): Promise<unknown> {
  const first = await ask(pathOf(versions));
  const answer = isUnknownMetric(first) ? await ask(pathOf([])) : first;
  const failure = failureOf(answer);
  if (failure !== undefined) throw failure;
  return answer.body;
}

/** As BaseRestHandler says it behind the path, of a group of figures and of those of indices. */
function isUnknownMetric({ status, body }: SearchAnswer): boolean {
  const reason = valueAt(body, 'error', 'reason') ?? valueAt(body, 'error');
  return status === 400 && /\] contains unrecognized (?:index )?metrics?: /.test(String(reason));
}
