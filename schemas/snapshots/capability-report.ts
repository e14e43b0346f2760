import { capabilitiesHoldMs } from './capability-section.js';

/** So many agents of one cluster are heard; where a name is new with every start, the last ones. */
export const mostReporters = 10;

/** What one agent says of a cluster, and when it said so last, milliseconds since 1970. */
export interface CapabilityReport {
  readonly reporter: string | null;
  readonly at: number;
}

/**
 * The report that counts for a section: of who collected it last, else of who collected the cluster's health last, else
 * the newest. The others' endpoints can be dead; and who was quiet while another repeated its own is gone.
 */
export function reportFor<Report extends CapabilityReport>(
  reports: readonly Report[],
  collectors: { readonly section: string | undefined; readonly health: string | undefined },
): Report | undefined {
  const latest = Math.max(...reports.map(({ at }) => at));
  const standing = reports
    .filter(({ at }) => latest - at < capabilitiesHoldMs)
    .toSorted((one, other) => other.at - one.at);
  const by = (collector: string | undefined): Report | undefined =>
    collector === undefined ? undefined : standing.find(({ reporter }) => reporter === collector);
  return by(collectors.section) ?? by(collectors.health) ?? standing[0];
}
