import type { ClusterMemory, HeaderMemory, NodeMemory } from '../memory/cluster-memory.js';
import { recentMs } from '../memory/history.js';
import { isDoubtful } from '../memory/missing-nodes.js';
import { known, type Absence, type Measured } from '../rules/situation.js';
import { fresh, staleAfter } from './freshness.js';

export interface EvaluatedNode {
  readonly node: NodeMemory;
  readonly absence: Absence | null;
}

/**
 * Nodes of the last whole answer, nodes that have answered since, and members that do not answer. Those are
 * evaluated by their last report: silence does not end a problem. A node that left counts only as absent.
 */
export function evaluatedNodes(
  { header, nodes }: ClusterMemory,
  at: number,
): Measured<readonly EvaluatedNode[]> {
  const slot = header.slots['nodes'];
  const current = fresh(header, 'nodes', slot === undefined ? undefined : { at: slot.at, value: slot }, at);
  if (!current.known) return current;
  const { slot: latest, intervalMs } = current.value;
  const heardSince = Math.max(latest - staleAfter * intervalMs, header.missing?.slot ?? 0);
  const evaluated = Object.entries(nodes).flatMap(([id, node]): EvaluatedNode[] => {
    const absence = absenceOf(header, id, at);
    if (absence !== null) return [{ node, absence }];
    return node.slot >= heardSince ? [{ node, absence: null }] : [];
  });
  return known(evaluated);
}

/**
 * A member that does not answer is evaluated by its last report until it answers. One that may have left is,
 * for as long as a departure counts as recent, unless it may be beyond the agent's limit.
 */
export function absenceOf({ missing, nodesLeft }: HeaderMemory, id: string, at: number): Absence | null {
  const absent = missing?.nodes[id];
  if (missing === undefined || absent === undefined || nodesLeft[id] !== undefined) return null;
  if (!isDoubtful(missing)) return 'silent';
  return missing.cut === 0 && at - absent.memberAt < recentMs ? 'doubtful' : null;
}
