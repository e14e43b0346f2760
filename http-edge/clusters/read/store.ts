import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeRange } from '../filters.js';
import type { ClickHouse } from '../../../runtime/clickhouse/client.js';
import { TelltaleError } from '../../../runtime/errors.js';

export type StoredRow = Readonly<Record<string, unknown>>;
export type Store = Pick<ClickHouse, 'query'>;

/** A read that takes longer is given up: its client is told to try again, and the edge keeps no memory of it. */
const patienceMs = 10_000;

/** ClickHouse ends a query by itself before that, and before it takes what inserts and other queries need. */
const limits = { seconds: 8, rows: 200_000_000, memoryBytes: 600_000_000 } as const;

/** A store whose reads end in time: rejects with CLICKHOUSE_UNREACHABLE or QUERY_TOO_LARGE where one does not. */
export function impatient(store: Store, url: string): Store {
  return {
    async query<Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) {
      const timer = new AbortController();
      const reading = store.query<Row>(sql, parameters, limits);
      reading.catch(() => undefined);
      const late = sleep(patienceMs, undefined, { signal: timer.signal }).then(() => {
        throw new TelltaleError('CLICKHOUSE_UNREACHABLE', { url });
      });
      late.catch(() => undefined);
      try {
        return await Promise.race([reading, late]);
      } finally {
        timer.abort();
      }
    },
  };
}

export const ofCluster = 'workspace = {workspace:String} AND cluster_uuid = {uuid:String}';

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
