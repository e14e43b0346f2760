import type { HeaderMemory, MissingNodes } from './cluster-memory.js';

/** How missing nodes were remembered: how many failed in each of the last snapshots, and who was silent in the last. */
interface Unheard {
  readonly failed: readonly number[];
  readonly silent: Readonly<Record<string, string>>;
  readonly cut: number;
  readonly total: number | null;
}

type StoredHeader = HeaderMemory & { readonly unheard?: Unheard };

/** A header as it was stored, by this version or by one before it. */
export function headerOf({ unheard, ...header }: StoredHeader): HeaderMemory {
  if (unheard === undefined || header.missing !== undefined) return header;
  return { ...header, missing: missingOf(unheard, header.slots['nodes']?.slot ?? 0) };
}

function missingOf({ failed, silent, cut, total }: Unheard, slot: number): MissingNodes {
  const newestFirst = failed.toReversed();
  const end = newestFirst.indexOf(0);
  const row = end === -1 ? newestFirst : newestFirst.slice(0, end);
  const names = Object.entries(silent);
  return {
    slot,
    failed: row[0] ?? 0,
    cut,
    total,
    nodes: Object.fromEntries(names.map(([id, name]) => [id, { name, missed: row.length }])),
    strangers: row.map((_, index) => Math.max(0, Math.min(...row.slice(0, index + 1)) - names.length)),
  };
}
