import { capabilitiesHoldMs } from './capability-section.js';

/** The number of agents per cluster that are remembered: the last ones, if names change with every start. */
export const mostReporters = 10;

/** One agent's report on a cluster, and when it was last made, milliseconds since 1970. */
export interface CapabilityReport {
  readonly reporter: string | null;
  readonly at: number;
}

/**
 * The report that counts for a section: from the agent that collected it last, otherwise from the agent that
 * collected the cluster's health last, otherwise the newest. Other agents' endpoints might be dead. An agent
 * that was quiet while another repeated its report is gone.
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
