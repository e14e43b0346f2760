import type { Snapshot } from '../snapshots.js';

/** The last slot of one section of one cluster, and the collection that owns it. */
export interface SlotOwner {
  readonly slot: number;
  readonly collection: string;
}

export type SlotVerdict = 'taken' | 'another agent has this slot' | 'a later slot is there already';

/**
 * "The same cluster from two agents is stored once": in the order of the log, the first collection of a slot owns it,
 * and what other agents send for the same or an earlier slot is dropped. A cluster's records are in one partition, so
 * every reader, and every replay, decides alike. All parts of one collection are accepted.
 */
export function claimSlot(
  owner: SlotOwner | undefined,
  { slot, collection }: Pick<Snapshot, 'slot' | 'collection'>,
): { readonly verdict: SlotVerdict; readonly owner: SlotOwner } {
  if (owner === undefined || slot > owner.slot) return { verdict: 'taken', owner: { slot, collection } };
  if (slot < owner.slot) return { verdict: 'a later slot is there already', owner };
  return { verdict: collection === owner.collection ? 'taken' : 'another agent has this slot', owner };
}
