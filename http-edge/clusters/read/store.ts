import type { TimeRange } from '../filters.js';
import type { ClickHouse } from '../../../runtime/clickhouse/client.js';

export type StoredRow = Readonly<Record<string, unknown>>;
export type Store = Pick<ClickHouse, 'query'>;

export const ofCluster = 'workspace = {workspace:String} AND cluster_uuid = {uuid:String}';

/** Of the cluster, from `since` to `until`: seconds since 1970. */
export const ofClusterWithin = (timestamp: string): string =>
  `${ofCluster} AND ${timestamp} >= toDateTime({since:UInt32}, 'UTC') AND ${timestamp} < toDateTime({until:UInt32}, 'UTC')`;

/** `2026-01-02 03:04:05.678` of ClickHouse, always UTC, as ISO 8601. */
export function iso(moment: unknown): string | null {
  return typeof moment === 'string' ? `${moment.replace(' ', 'T')}Z` : null;
}

export function isoOfMillis(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Holds a query to a range: its timestamps, whose first is in it and whose last is not; every moment where it has none. */
export const inRange =
  'at >= fromUnixTimestamp64Micro({since:Int64}) AND at < fromUnixTimestamp64Micro({until:Int64})';

/** Microseconds since 1970, of the year 2255. */
const endOfTime = Number.MAX_SAFE_INTEGER;

/** The parameters of `inRange`. What lies before 1970 or after the end of time is in no table. */
export function boundsOf({ from = 0, to = endOfTime }: TimeRange): { since: number; until: number } {
  const within = (moment: number): number => Math.min(Math.max(moment, 0), endOfTime);
  return { since: within(from), until: within(to) };
}

/** What is from further in the future is a mistake of a clock: it would stay the newest for ever. */
export const futureMs = 86_400_000;
