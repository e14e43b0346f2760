import type { NodeSnapshot } from '../../../schemas/snapshots/node-section.js';
import type { NodeMemory } from '../memory/cluster-memory.js';
import { wereSetBack } from './counters.js';
import { intervalOf, type Gap, type Interval } from './interval.js';
import { keptOfNode } from './operations.js';

/** The time in which a node's counters grew, or why they can't be compared. */
export function intervalSince(
  before: NodeMemory | undefined,
  node: NodeSnapshot,
  counters: Readonly<Record<string, number>>,
  at: number,
): Interval {
  if (before === undefined) return gap('first snapshot');
  const last = lastIncarnation(before);
  if (last === null || node.incarnation === null) return gap('incarnation unknown');
  if (last !== node.incarnation) return gap('restarted');
  if (wereSetBack(before.counters, counters) || wereSetBack(keptOfNode(before.operations), node.operations)) {
    return gap('counters were set back');
  }
  // Timestamps of two clocks can't be compared.
  if (before.ownClock !== (node.measured_at !== null)) return gap('clock did not advance');
  return intervalOf(before.at, at);
}

const gap = (reason: Gap): Interval => ({ gap: reason });

/** If the incarnation is unknown, an uptime that fell still shows a restart. */
export function hasRestarted(before: NodeMemory | undefined, node: NodeSnapshot): boolean | null {
  if (before === undefined) return null;
  const last = lastIncarnation(before);
  if (last !== null && node.incarnation !== null) return last !== node.incarnation;
  const uptimeFell = (node.uptime_ms ?? Infinity) < (before.uptimeMs ?? 0);
  return uptimeFell ? true : null;
}

/**
 * The start of the JVM, by the agent's clock: the node's own may be wrong, but its uptime is right. The JVM
 * did not start before the last snapshot, because the previous one still answered then.
 */
export function restartedAt(
  before: NodeMemory | undefined,
  { uptime_ms: uptime, jvm_started_at: start, measured_at: now }: NodeSnapshot,
  takenAt: number,
): number {
  const lastLook = before?.slot ?? 0;
  const upMs = uptime ?? (start === null ? null : (now ?? takenAt) - start);
  return upMs === null ? lastLook : Math.max(lastLook, takenAt - Math.max(0, upMs));
}

export const lastIncarnation = ({ lastIncarnation: last, incarnation }: NodeMemory): string | null =>
  last ?? incarnation;
