import { claimSlot } from '../../../schemas/snapshots/slot-owner.js';
import type { Snapshot } from '../../../schemas/snapshots.js';
import type { HeaderMemory } from './cluster-memory.js';

export type Admission =
  | { readonly kind: 'admitted'; readonly whole: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Decides whether a snapshot counts: the first collection of a slot has it, each part of it once, and what is older
 * than the slot comes too late. The same in the order of the log as on any replay. `whole`: all its parts are there.
 */
export function admit(header: HeaderMemory, snapshot: Snapshot): Admission {
  const { section, slot, collection, part, parts } = snapshot;
  const present = header.slots[section];
  const { verdict, owner } = claimSlot(present, { slot, collection });
  if (verdict !== 'taken') return { kind: 'refused', reason: verdict };
  const seen = present?.slot === slot ? present.parts : [];
  if (seen.includes(part)) return { kind: 'refused', reason: 'this part is there already' };
  header.slots[section] = {
    ...owner,
    parts: [...seen, part],
    intervalMs: snapshot.interval_seconds * 1_000,
    at: snapshot.taken_at,
  };
  return { kind: 'admitted', whole: seen.length + 1 === parts };
}
