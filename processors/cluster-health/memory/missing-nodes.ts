import { fewestSamples } from '../rules/windows.js';
import type { HeaderMemory, MissingNode, MissingNodes } from './cluster-memory.js';

/** Beyond as many as failed, so many that may have left are kept: ids come and go, and what is stored has a bound. */
const mostDoubtful = 100;

/** What one whole snapshot says of the nodes that it lacks. */
export interface Lacking {
  readonly slot: number;
  readonly intervalMs: number;
  readonly failed: number;
  readonly cut: number;
  readonly total: number | null;
}

/**
 * Counts, for each member by its id, how many snapshots in a row have lacked it while some did not answer. Without any
 * that failed, one that is missing is beyond the limit, or has left. A snapshot that comes more than three intervals
 * after the one before begins anew: nobody knows what was in between.
 */
export function rememberMissing(header: HeaderMemory, lacking: Lacking): void {
  const { slot, intervalMs, failed, cut, total } = lacking;
  const { missing: last, nodesThere: known, nodesInSlot: heard } = header;
  const before = last !== undefined && slot - last.slot <= 3 * intervalMs ? last : undefined;
  const nodes = failed === 0 ? {} : missingOf(header, before, failed);
  const strangers = Math.max(0, failed - Object.keys(nodes).length);
  // One that is heard for the first time may be any of those that were never heard before.
  const newcomers = Object.keys(heard).filter((id) => known[id] === undefined).length;
  const strangersBefore = (before?.strangers ?? []).map((count) =>
    Math.min(strangers, Math.max(0, count - newcomers)),
  );
  header.nodesThere = { ...(failed > 0 ? namesOf(nodes) : cut > 0 ? {} : known), ...heard };
  header.nodesLeft = without(header.nodesLeft, heard);
  header.missing = {
    slot,
    failed,
    cut,
    total,
    nodes,
    strangers: [strangers, ...strangersBefore].slice(0, fewestSamples),
  };
}

function missingOf(
  { nodesThere, nodesInSlot }: HeaderMemory,
  before: MissingNodes | undefined,
  failed: number,
): Record<string, MissingNode> {
  const nodes = Object.entries(without(nodesThere, nodesInSlot))
    .map(([id, name]) => [id, { name, missed: (before?.nodes[id]?.missed ?? 0) + 1 }] as const)
    .sort(([, one], [, other]) => one.missed - other.missed);
  return Object.fromEntries(nodes.slice(0, failed + mostDoubtful));
}

const namesOf = (nodes: MissingNodes['nodes']): Record<string, string> =>
  Object.fromEntries(Object.entries(nodes).map(([id, { name }]) => [id, name]));

const without = <Entry>(
  entries: Record<string, Entry>,
  ids: Readonly<Record<string, unknown>>,
): Record<string, Entry> =>
  Object.fromEntries(Object.entries(entries).filter(([id]) => ids[id] === undefined));

/**
 * How many members at least have not answered in each of the last three snapshots. Not every missing node has failed
 * where one has left, so that those which are missing for less long are taken for the ones that fail.
 */
export function failedOften({ failed, nodes, strangers }: MissingNodes): number {
  const missed = Object.values(nodes).map((node) => node.missed);
  const lately = missed.filter((count) => count < fewestSamples).length;
  const strangersLately = Math.max(0, failed - missed.length) - (strangers[fewestSamples - 1] ?? 0);
  return Math.max(0, failed - lately - strangersLately);
}
