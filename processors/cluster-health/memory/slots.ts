import { claimSlot } from '../../../schemas/snapshots/slot-owner.js';
import type { Snapshot } from '../../../schemas/snapshots.js';
import type { HeaderMemory } from './cluster-memory.js';

export type Admission =
  | { readonly kind: 'admitted'; readonly whole: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

const dayMs = 86_400_000;
const ofCapabilities = 'capabilities';

/** Agents may have access to different sections, so each has a slot of its own for its report. */
const slotKeyOf = ({ section, reporter }: Snapshot): string =>
  section === 'capabilities' ? `${ofCapabilities}/${reporter ?? ''}` : section;

/**
 * Decides whether a snapshot counts: the first collection of a slot owns it, each part of it counts once, and
 * a snapshot that is older than the slot is too late. A replay in the order of the log decides the same.
 * `whole`: all of its parts have arrived.
 */
export function admit(header: HeaderMemory, snapshot: Snapshot): Admission {
  const { slot, collection, part, parts } = snapshot;
  const key = slotKeyOf(snapshot);
  const present = header.slots[key];
  const { verdict, owner } = claimSlot(present, { slot, collection });
  if (verdict !== 'taken') return { kind: 'refused', reason: verdict };
  const seen = present?.slot === slot ? present.parts : [];
  if (seen.includes(part)) return { kind: 'refused', reason: 'this part has already arrived' };
  if (snapshot.section === 'capabilities') forgetReporters(header, slot);
  header.slots[key] = {
    ...owner,
    parts: [...seen, part],
    ...(snapshot.reporter === null ? {} : { reporter: snapshot.reporter }),
    intervalMs: snapshot.interval_seconds * 1_000,
    at: snapshot.taken_at,
  };
  return { kind: 'admitted', whole: seen.length + 1 === parts };
}

/** Hosts come and go: a name that has not been used for a day needs no slot. */
function forgetReporters(header: HeaderMemory, slot: number): void {
  header.slots = Object.fromEntries(
    Object.entries(header.slots).filter(
      ([key, last]) => !key.startsWith(ofCapabilities) || slot - last.slot <= dayMs,
    ),
  );
}
