import { failureOf } from './call-failure.js';
import type { SearchAnswer } from './client-port.js';
import { valueAt } from './parse/answer.js';
import type { KnownNode } from './parse/nodes.js';
import type { ClusterIdentity, Collection } from './section.js';

/**
 * The versions of all nodes that reported one. Any of them can receive a call, and refuses it if the call
 * names a metric that the node does not know.
 */
export function versionsOf(known: readonly KnownNode[], cluster: ClusterIdentity): readonly string[] {
  const told = known.flatMap(({ version }) => version ?? []);
  return told.length > 0 ? told : [cluster.version ?? ''];
}

/**
 * Asks for the metrics that all of these versions know. If the node that receives the call is older still (it
 * reported no version, during an upgrade), asks for those that every version knows. Rejects with CallFailure.
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

/** BaseRestHandler's message for a group of figures, and for those of indices. */
function isUnknownMetric({ status, body }: SearchAnswer): boolean {
  const reason = valueAt(body, 'error', 'reason') ?? valueAt(body, 'error');
  return status === 400 && /\] contains unrecognized (?:index )?metrics?: /.test(String(reason));
}
