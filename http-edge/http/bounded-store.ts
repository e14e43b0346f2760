import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { Store } from '../clusters/read/store.js';
import { ReadTurns } from './read-turns.js';

/** As many as the ClickHouse client has connections. */
const readsAtOnce = 10;

/** A read that takes longer is abandoned: its client is told to try again, and the edge frees its memory. */
const patienceMs = 10_000;

/**
 * ClickHouse itself ends a query before that, and before the query takes resources that inserts and other
 * queries need. An answer of this many rows takes some megabytes on the edge. The longest answer that is
 * needed has one row for each minute of 31 days.
 */
const limits = { seconds: 8, rows: 200_000_000, memoryBytes: 600_000_000, answeredRows: 50_000 } as const;

/**
 * A store whose reads end in time, and which workspaces share fairly. Rejects with CLICKHOUSE_UNREACHABLE or
 * QUERY_TOO_LARGE if a read exceeds its limits, and as ReadTurns does.
 */
export function boundedStore(store: Pick<ClickHouse, 'query'>, url: string): Store {
  const turns = new ReadTurns(readsAtOnce);
  return {
    query: <Row>(sql: string, parameters?: Readonly<Record<string, unknown>>) =>
      turns.run(async (gone) => {
        const late = AbortSignal.timeout(patienceMs);
        const signal = gone === undefined ? late : AbortSignal.any([gone, late]);
        try {
          return await store.query<Row>(sql, parameters, { ...limits, signal });
        } catch (error) {
          if (late.aborted && gone?.aborted !== true)
            throw new TelltaleError('CLICKHOUSE_UNREACHABLE', { url });
          throw error;
        }
      }),
  };
}
