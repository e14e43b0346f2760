import { mostReporters } from '../../../schemas/snapshots/capability-report.js';
import type { CapabilitiesSection } from '../../../schemas/snapshots/capability-section.js';
import type { HealthSection } from '../../../schemas/snapshots/cluster-section.js';
import type { ClusterMemory, HeaderMemory } from './cluster-memory.js';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const recentMs = 15 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Remembers two facts of a health answer: how many data nodes there were, and which node was master. A change
 * between two readings is dated to the first of them, here and for nodes. So no change is reported as recent
 * for too long.
 */
export function rememberHealth(
  header: HeaderMemory,
  { status, data_nodes, master_node_id, no_master }: HealthSection,
  at: number,
): void {
  const hour = String(Math.floor(at / hourMs));
  if (data_nodes !== null) {
    header.dataNodesByHour[hour] = Math.max(data_nodes, header.dataNodesByHour[hour] ?? 0);
    header.dataNodesSinceGreen =
      status === 'green' ? data_nodes : Math.max(data_nodes, header.dataNodesSinceGreen ?? 0);
  }
  header.dataNodesByHour = Object.fromEntries(
    Object.entries(header.dataNodesByHour).filter(([of]) => (Number(of) + 1) * hourMs > at - dayMs),
  );
  if (master_node_id !== null) {
    if (header.master !== null && header.master !== master_node_id) {
      header.masterChanges.push(header.masterAt ?? at);
    }
    header.master = master_node_id;
  }
  if (master_node_id !== null || no_master) header.masterAt = at;
  header.masterChanges = header.masterChanges.filter((changed) => at - changed < hourMs);
}

/** In the last day. */
export function mostDataNodes({ dataNodesByHour }: HeaderMemory): number | null {
  const counts = Object.values(dataNodesByHour);
  return counts.length === 0 ? null : Math.max(...counts);
}

/**
 * Compares the nodes of a whole answer (all parts there, every node asked, none cut) with those of the one before. A
 * node that is missing from a partial answer has not left.
 */
export function rememberNodes(
  { header, nodes }: Pick<ClusterMemory, 'header' | 'nodes'>,
  there: Readonly<Record<string, string>>,
  at: number,
): void {
  for (const [id, name] of Object.entries(header.presentNodes)) {
    if (there[id] !== undefined) continue;
    // A node that was missing before may have left at that time, when another node did not answer.
    const holdsShards = nodes[id]?.holdsShards;
    header.nodesLeft[id] ??= {
      name,
      at: header.missing?.nodes[id]?.memberAt ?? header.missing?.at ?? at,
      ...(holdsShards === undefined ? {} : { holdsShards }),
    };
  }
  header.nodesLeft = Object.fromEntries(
    Object.entries(header.nodesLeft).filter(
      ([id, left]) => there[id] === undefined && at - left.at < recentMs,
    ),
  );
  header.presentNodes = { ...there };
}

export function rememberCapabilities(
  header: HeaderMemory,
  reporter: string | null,
  { sections }: CapabilitiesSection,
  at: number,
): void {
  const value = Object.fromEntries(
    sections.map(({ section, state, reason, privilege }) => [section, { state, reason, privilege }]),
  );
  const name = reporter ?? '';
  const others = Object.entries(header.capabilitiesOf ?? {})
    .filter(([other, told]) => other !== name && at - told.at < dayMs)
    .toSorted(([, one], [, other]) => other.at - one.at)
    .slice(0, mostReporters - 1);
  header.capabilitiesOf = { ...Object.fromEntries(others), [name]: { at, value } };
}

export function rememberRestart(
  header: HeaderMemory,
  restart: { readonly name: string; readonly at: number },
  at: number,
): void {
  header.restarts = [...header.restarts, restart].filter((each) => at - each.at < recentMs);
}
