import { reportFor } from '../../../schemas/snapshots/capability-report.js';
import { capabilitiesHoldMs, type CapabilityState } from '../../../schemas/snapshots/capability-section.js';
import type { SectionName } from '../../../schemas/snapshots.js';
import type { At, HeaderMemory, RememberedCapability } from '../memory/cluster-memory.js';
import { known, unknown, type Measured } from '../rules/situation.js';

/** After this many intervals without a snapshot, a section counts as not measured. */
export const staleAfter = 3;

/** Sections of every cycle: if none of them can be collected, the cluster does not answer. */
const ofEveryCycle: readonly SectionName[] = ['health', 'nodes', 'pending_tasks'];

/** The last value of a section, unless it is too old to describe the present. */
export function fresh<Value>(
  header: HeaderMemory,
  section: SectionName,
  last: At<Value> | undefined,
  at: number,
): Measured<Value> {
  if (last === undefined) return unknown(reasonOf(header, section));
  if (at - last.at <= staleAfter * intervalOf(header, section) && !isSilent(header, at)) {
    return known(last.value);
  }
  return unknown(reasonOf(header, section, ` since ${new Date(last.at).toISOString().slice(0, 19)}Z`));
}

/** States of a section that is not collected. */
const withoutAnswer: ReadonlySet<string | undefined> = new Set<CapabilityState>([
  'failing',
  'forbidden',
  'missing',
  'off',
]);

/**
 * Every agent of the cluster reports that no section of the cycle can be collected, and each has missed an
 * interval. Then no other report will come. One of several agents is not enough: only its endpoint may be
 * down.
 */
function isSilent({ capabilitiesOf = {}, ...header }: HeaderMemory, at: number): boolean {
  const heard = Object.entries(capabilitiesOf).filter(([, told]) => at - told.at < capabilitiesHoldMs);
  if (heard.length === 0) return false;
  const latest = Math.max(...heard.map(([, told]) => told.at));
  const reporters = new Set(heard.map(([reporter]) => reporter));
  return ofEveryCycle.every((section) => {
    const slot = header.slots[section];
    if (slot !== undefined && !reporters.has(slot.reporter ?? '')) return false;
    const states = heard.map(([, told]) => told.value[section]?.state);
    if (states.every((state) => state === 'off')) return true;
    // Timers are not exact: the failed try may be slightly early.
    const missed = latest - (slot?.at ?? 0) >= 0.9 * intervalOf(header, section);
    return missed && states.every((state) => withoutAnswer.has(state));
  });
}

const intervalOf = (header: HeaderMemory, section: SectionName): number =>
  header.slots[section]?.intervalMs ?? 60_000;

/** The report of the agent that collects the section. */
function capabilityFor(
  { capabilitiesOf = {}, slots }: HeaderMemory,
  section: SectionName,
): RememberedCapability | undefined {
  const reports = Object.entries(capabilitiesOf).map(([reporter, told]) => ({ reporter, ...told }));
  const collectors = { section: slots[section]?.reporter, health: slots['health']?.reporter };
  return reportFor(reports, collectors)?.value[section];
}

/** Why a section was not collected, by the agent's report. `since`: since when, with a space before it. */
export function reasonOf(header: HeaderMemory, section: SectionName, since = ''): string {
  const capability = capabilityFor(header, section);
  switch (capability?.state) {
    case 'forbidden':
      return `not readable${since}: the privilege ${capability.privilege ?? 'monitor'} is missing`;
    case 'missing':
      return `not provided by this version of the cluster${since}`;
    case 'off':
      return `not collected${since}: switched off in the agent's configuration`;
    case 'failing':
      return `not collected${since}: ${capability.reason ?? 'the last attempt failed'}`;
    default:
      return `not collected${since}`;
  }
}
