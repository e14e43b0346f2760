import type { Snapshot } from '../snapshots.js';

/** The last slot of one section of one cluster, and the collection that owns it. */
export interface SlotOwner {
  readonly slot: number;
  readonly collection: string;
}

export type SlotVerdict = 'taken' | 'another agent has this slot' | 'a later slot already exists';

/**
 * "The same cluster from two agents is stored once": in the order of the log, the first collection of a slot
 * owns it. All of its parts are accepted; other collections of the slot, and earlier slots, are dropped. A
 * cluster's records are in one partition, so every reader and every replay decides alike.
 */
export function claimSlot(
  owner: SlotOwner | undefined,
  { slot, collection }: Pick<Snapshot, 'slot' | 'collection'>,
): { readonly verdict: SlotVerdict; readonly owner: SlotOwner } {
  if (owner === undefined || slot > owner.slot) return { verdict: 'taken', owner: { slot, collection } };
  if (slot < owner.slot) return { verdict: 'a later slot already exists', owner };
  return { verdict: collection === owner.collection ? 'taken' : 'another agent has this slot', owner };
}
