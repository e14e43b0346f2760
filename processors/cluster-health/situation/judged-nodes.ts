import type { ClusterMemory, HeaderMemory, NodeMemory } from '../memory/cluster-memory.js';
import { recentMs } from '../memory/history.js';
import { isDoubtful } from '../memory/missing-nodes.js';
import { known, type Measured } from '../rules/situation.js';
import { fresh, staleAfter } from './freshness.js';

/**
 * Nodes of the last whole answer, those heard since, and those that are missing and judged by what they said last: what
 * was wrong with a node is not over for its silence.
 */
export function judgedNodes({ header, nodes }: ClusterMemory, at: number): Measured<readonly NodeMemory[]> {
  const slot = header.slots['nodes'];
  const current = fresh(header, 'nodes', slot === undefined ? undefined : { at: slot.at, value: slot }, at);
  if (!current.known) return current;
  const { slot: latest, intervalMs } = current.value;
  const heardSince = Math.max(latest - staleAfter * intervalMs, header.missing?.slot ?? 0);
  const judged = Object.entries(nodes).filter(
    ([id, node]) => node.slot >= heardSince || holdsLastWord(header, id, at),
  );
  return known(judged.map(([, node]) => node));
}

/**
 * A member that does not answer keeps it for as long as that lasts; one that left, or may have, while that counts as
 * lately: what ails a node is no better for its death. One beyond the agent's limit never: it may answer, to nobody.
 */
export function holdsLastWord({ missing, nodesLeft }: HeaderMemory, id: string, at: number): boolean {
  const left = nodesLeft[id];
  if (left !== undefined) return at - left.at < recentMs;
  const absent = missing?.nodes[id];
  if (missing === undefined || absent === undefined) return false;
  if (!isDoubtful(missing)) return true;
  return missing.cut === 0 && at - absent.memberAt < recentMs;
}
