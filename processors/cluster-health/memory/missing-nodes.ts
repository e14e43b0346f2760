import { fewestSamples } from '../rules/windows.js';
import type { HeaderMemory, MissingNode, MissingNodes } from './cluster-memory.js';

/** Of nodes that may have left, this many more than failed are kept: ids change, and storage is bounded. */
const mostDoubtful = 100;

/** The nodes that one whole snapshot lacks. */
export interface Lacking {
  readonly slot: number;
  readonly at: number;
  readonly intervalMs: number;
  readonly failed: number;
  readonly cut: number;
  readonly total: number | null;
}

/**
 * Counts, for each member by its id, how many snapshots in a row lacked it. After a gap of more than three
 * intervals the count starts again, because nothing is known of the time between.
 */
export function rememberMissing(header: HeaderMemory, lacking: Lacking): void {
  const { slot, at, intervalMs, failed, cut, total } = lacking;
  const { missing: last, nodesInSlot: heard } = header;
  const before = last !== undefined && slot - last.slot <= 3 * intervalMs ? last : undefined;
  const known = last !== undefined && before === undefined ? {} : header.presentNodes;
  // If no node failed and some are beyond the limit, the missing nodes are among those.
  const nodes = failed === 0 && cut > 0 ? {} : missingOf(without(known, heard), before, lacking);
  const amount = Object.keys(nodes).length;
  const strangers = Math.max(0, failed - amount);
  // A node that answers for the first time may be any of those that were never seen before.
  const newcomers = Object.keys(heard).filter((id) => known[id] === undefined).length;
  const strangersBefore = (before?.strangers ?? []).map((count) =>
    Math.min(strangers, Math.max(0, count - newcomers)),
  );
  header.presentNodes = { ...namesOf(nodes), ...heard };
  header.nodesLeft = without(header.nodesLeft, heard);
  header.missing = {
    slot,
    at,
    failed,
    cut,
    total,
    nodes,
    left: leftAt(before?.left ?? [], cut > 0 ? 0 : Math.max(0, amount - failed), before?.at ?? at),
    strangers: [strangers, ...strangersBefore].slice(0, fewestSamples),
  };
}

function missingOf(
  absent: Readonly<Record<string, string>>,
  before: MissingNodes | undefined,
  { failed, at }: Lacking,
): Record<string, MissingNode> {
  const missing = Object.entries(absent);
  const isCertain = missing.length <= failed;
  const nodes = missing
    .map(([id, name]): readonly [string, MissingNode] => {
      const last = before?.nodes[id];
      const memberAt = isCertain ? at : (last?.memberAt ?? before?.at ?? at);
      return [id, { name, missed: (last?.missed ?? 0) + 1, memberAt }];
    })
    .sort(([, one], [, other]) => one.missed - other.missed);
  return Object.fromEntries(nodes.slice(0, failed + mostDoubtful));
}

/** Nodes that are missing in addition to those counted before have left since then. */
function leftAt(before: readonly number[], amount: number, at: number): readonly number[] {
  const more = Array.from({ length: Math.max(0, amount - before.length) }, () => at);
  return [...before.slice(0, amount), ...more];
}

const namesOf = (nodes: MissingNodes['nodes']): Record<string, string> =>
  Object.fromEntries(Object.entries(nodes).map(([id, { name }]) => [id, name]));

const without = <Entry>(
  entries: Record<string, Entry>,
  ids: Readonly<Record<string, unknown>>,
): Record<string, Entry> =>
  Object.fromEntries(Object.entries(entries).filter(([id]) => ids[id] === undefined));

/** Whether more nodes are missing than failed: the others have left, or are beyond the limit. */
export const isDoubtful = ({ failed, nodes }: MissingNodes): boolean => Object.keys(nodes).length > failed;

/**
 * A lower bound of the members that have not answered in each of the last three snapshots. If a node has
 * left, it is unknown which of the missing nodes failed: those that went missing last are counted as failed.
 */
export function failedOften({ failed, nodes, strangers }: MissingNodes): number {
  const missed = Object.values(nodes).map((node) => node.missed);
  const lately = missed.filter((count) => count < fewestSamples).length;
  const strangersLately = Math.max(0, failed - missed.length) - (strangers[fewestSamples - 1] ?? 0);
  return Math.max(0, failed - lately - strangersLately);
}
