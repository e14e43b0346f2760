import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { good, problem, type Check } from './check.js';

const mostSeconds = 5;

/**
 * Checks the clocks of all processes. ClickHouse is asked for its time; the others are inferred from rows of
 * the last day. If a record was appended to Kafka before the edge accepted it, or stored before the agent
 * collected it, the edge's or the agent's clock is fast.
 */
export function clockCheck(clickhouse: Pick<ClickHouse, 'query'>, now: () => number = Date.now): Check {
  return {
    name: 'clocks',
    async look() {
      const before = now();
      const [server] = await clickhouse.query<{ ms: string }>(
        'SELECT toUnixTimestamp64Milli(now64(3)) AS ms',
      );
      const after = now();
      const ms = Number(server?.ms);
      const apart: [string, number][] = [
        ['ClickHouse and this machine', Math.max(before - ms, ms - after, 0) / 1_000],
        ['an edge and Kafka', await mostAhead(clickhouse, 'telltale.events', 'received_at', 'appended_at')],
        [
          'an agent and ClickHouse',
          await mostAhead(clickhouse, 'telltale.cluster_overview', 'taken_at', 'inserted_at'),
        ],
      ];
      const wrong = apart.filter(([, seconds]) => seconds > mostSeconds);
      return wrong.length > 0
        ? problem(
            wrong
              .map(([who, seconds]) => `The clocks of ${who} are ${seconds.toFixed(1)} s apart.`)
              .join(' '),
            'Synchronize the clocks of all machines (NTP): deadlines, Idempotency-Keys and times of rows depend on them.',
          )
        : good(`All clocks that could be compared are within ${mostSeconds} s of each other.`);
    },
  };
}

/** The most seconds by which a timestamp is ahead of one that was taken later; 0 if there are no rows. */
async function mostAhead(
  clickhouse: Pick<ClickHouse, 'query'>,
  table: string,
  earlier: string,
  later: string,
): Promise<number> {
  const [row] = await clickhouse.query<{ seconds: number | null }>(
    `SELECT maxOrNull(dateDiff('millisecond', ${later}, ${earlier})) / 1000 AS seconds
     FROM ${table} WHERE ${later} > now() - INTERVAL 1 DAY`,
  );
  return Math.max(0, row?.seconds ?? 0);
}
