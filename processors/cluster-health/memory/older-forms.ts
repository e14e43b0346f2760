import type { At, HeaderMemory, MissingNodes, RememberedCapabilities } from './cluster-memory.js';

/**
 * The former memory of missing nodes: how many failed in each of the last snapshots, and which were silent in the last.
 */
interface Unheard {
  readonly failed: readonly number[];
  readonly silent: Readonly<Record<string, string>>;
  readonly cut: number;
  readonly total: number | null;
}

interface StoredHeader extends HeaderMemory {
  readonly unheard?: Unheard;
  /** Of one agent, whose name was not stored. */
  readonly capabilities?: At<RememberedCapabilities>;
}

/** A health record that was stored before it listed indices. */
const noIndicesTold = {
  affected_indices: [],
  indices_lacking_primaries: null,
  indices_lacking_replicas: null,
  indices_recovering: null,
};

/** A header as this version, or an earlier one, has stored it. */
export function headerOf({ unheard, capabilities, ...header }: StoredHeader): HeaderMemory {
  return {
    ...header,
    ...(header.health !== undefined && {
      health: { ...header.health, value: { ...noIndicesTold, ...header.health.value } },
    }),
    ...(header.masterAt === undefined && header.health !== undefined && { masterAt: header.health.at }),
    ...(unheard !== undefined &&
      header.missing === undefined && {
        missing: missingOf(unheard, header.slots['nodes'] ?? { slot: 0, at: 0 }),
      }),
    // Agents repeat themselves every 15 minutes: without the earlier report, reasons would be missing until then.
    ...(capabilities !== undefined && {
      capabilitiesOf: { '': capabilities, ...header.capabilitiesOf },
    }),
  };
}

function missingOf(
  { failed, silent, cut, total }: Unheard,
  { slot, at }: { readonly slot: number; readonly at: number },
): MissingNodes {
  const newestFirst = failed.toReversed();
  const end = newestFirst.indexOf(0);
  const row = end === -1 ? newestFirst : newestFirst.slice(0, end);
  const names = Object.entries(silent);
  return {
    slot,
    at,
    failed: row[0] ?? 0,
    cut,
    total,
    nodes: Object.fromEntries(names.map(([id, name]) => [id, { name, missed: row.length, memberAt: at }])),
    left: [],
    strangers: row.map((_, index) => Math.max(0, Math.min(...row.slice(0, index + 1)) - names.length)),
  };
}
