import type { TimeRange } from '../filters.js';
import type { ClickHouse } from '../../../runtime/clickhouse/client.js';

export type StoredRow = Readonly<Record<string, unknown>>;
export type Store = Pick<ClickHouse, 'query'>;

export const ofCluster = 'workspace = {workspace:String} AND cluster_uuid = {uuid:String}';

/** The cluster's rows from `since` to `until`, in seconds since 1970. */
export const ofClusterWithin = (timestamp: string): string =>
  `${ofCluster} AND ${timestamp} >= toDateTime({since:UInt32}, 'UTC') AND ${timestamp} < toDateTime({until:UInt32}, 'UTC')`;

/** Converts `2026-01-02 03:04:05.678` of ClickHouse, always UTC, to ISO 8601. */
export function iso(moment: unknown): string | null {
  return typeof moment === 'string' ? `${moment.replace(' ', 'T')}Z` : null;
}

export function isoOfMillis(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Restricts a query to a range, including its start but not its end. A missing bound restricts nothing. */
export const inRange =
  'at >= fromUnixTimestamp64Micro({since:Int64}) AND at < fromUnixTimestamp64Micro({until:Int64})';

/** Microseconds since 1970, in the year 2255. */
const endOfTime = Number.MAX_SAFE_INTEGER;

/** The parameters of `inRange`. No table has timestamps before 1970 or after the end of time. */
export function boundsOf({ from = 0, to = endOfTime }: TimeRange): { since: number; until: number } {
  const within = (moment: number): number => Math.min(Math.max(moment, 0), endOfTime);
  return { since: within(from), until: within(to) };
}

/** A timestamp further in the future comes from a wrong clock, and would stay the newest forever. */
export const futureMs = 86_400_000;
