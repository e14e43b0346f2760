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
 * Nodes of the last whole answer, those heard since, and members that do not answer, by their last report: a problem of
 * a node does not end with its silence. A node that left is evaluated by its absence alone.
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
 * A member that does not answer is evaluated by its last report for as long as that lasts. One that may have left is,
 * for as long as a departure counts as recent. One beyond the agent's limit never is: it may answer unheard.
 */
export function absenceOf({ missing, nodesLeft }: HeaderMemory, id: string, at: number): Absence | null {
  const absent = missing?.nodes[id];
  if (missing === undefined || absent === undefined || nodesLeft[id] !== undefined) return null;
  if (!isDoubtful(missing)) return 'silent';
  return missing.cut === 0 && at - absent.memberAt < recentMs ? 'doubtful' : null;
}
