import { mostReporters } from '../../../schemas/snapshots/capability-report.js';
import { capabilitiesHoldMs } from '../../../schemas/snapshots/capability-section.js';
import type { SlowOperationKind } from '../../../schemas/slow-operations.js';
import type { Minutes } from '../../applications/minutes.js';
import type { ClusterOf } from '../cluster-reader.js';
import { slowLogNotePrefix } from './capabilities.js';
import { ofCluster, type Store } from './store.js';

const holdSeconds = capabilitiesHoldMs / 1_000;
/** A series has no more intervals than a chart has room for. */
const mostReports = mostReporters * 200;

/** What one agent last reported about the cluster's slow logs in one interval. */
interface SlowLogReport {
  readonly agent: string;
  /** Seconds since 1970. */
  readonly said_at: number;
  readonly notes: readonly string[];
  /** Whether a threshold is set: `true`, `false`, or anything else if that is unknown. */
  readonly search: string;
  readonly indexing: string;
}

export type SlowLogReports = readonly SlowLogReport[];

/** Reads reports from before the range too, because a report stays valid for a while. */
export async function readSlowLogReports(
  store: Store,
  of: ClusterOf,
  { since, until, step }: Minutes,
): Promise<SlowLogReports> {
  const threshold = (kind: SlowOperationKind): string =>
    `argMax(JSONExtractRaw(ifNull(details, ''), 'slow_log_thresholds', '${kind}'), slot) AS ${kind}`;
  return store.query<SlowLogReport>(
    `SELECT ifNull(reporter, '') AS agent, toUnixTimestamp(max(taken_at)) AS said_at, ${threshold('search')}, ${threshold('indexing')},
        argMax(arrayFilter(note -> startsWith(note, {prefix:String}), JSONExtract(ifNull(details, ''), 'notes', 'Array(String)')), slot) AS notes
     FROM telltale.cluster_overview
     WHERE ${ofCluster} AND section = 'capabilities'
       AND slot >= toDateTime({heard:UInt32}, 'UTC') AND slot < toDateTime({until:UInt32}, 'UTC')
     GROUP BY agent, intDiv(toUnixTimestamp(taken_at), {step:UInt32}) ORDER BY said_at DESC LIMIT ${mostReports}`,
    { ...of, prefix: slowLogNotePrefix, heard: Math.max(0, since - holdSeconds), until, step },
  );
}

/**
 * For an interval in which no operations of a kind arrived: why their number is unknown, or null if there
 * were none for certain. `isLogged`: some arrived at another time, so a threshold is set.
 */
export function whyNoneKnown(
  reports: SlowLogReports,
  kind: SlowOperationKind,
  { from, to }: { readonly from: number; readonly to: number },
  isLogged: boolean,
): string | null {
  const standing = lastOfEach(reports.filter(({ said_at: at }) => at < to && at > from - holdSeconds));
  if (standing.length === 0) return 'No agent reported then whether the slow logs are read.';
  const thresholds = standing.map((report) => report[kind]);
  const isSet = thresholds.includes('true');
  if (!isSet && thresholds.includes('false'))
    return `No slow-log threshold of ${kind} is configured on any index, so the cluster logs none.`;
  if (standing.every(({ notes }) => notes.length > 0))
    return [...new Set(standing.flatMap(({ notes }) => notes))].toSorted().join('; ');
  return isSet || isLogged ? null : `It is not known whether a slow-log threshold of ${kind} is configured.`;
}

function lastOfEach(reports: SlowLogReports): SlowLogReports {
  const byAgent = new Map<string, SlowLogReport>();
  for (const report of reports) {
    const other = byAgent.get(report.agent);
    if (other === undefined || other.said_at < report.said_at) byAgent.set(report.agent, report);
  }
  return [...byAgent.values()];
}
