import type { ClickHouse } from './client.js';

/** What is wrong between Kafka and one table; both are 0 where every record is in it exactly once. */
export interface Audit {
  /** Rows beyond the first for the same topic, partition and offset. */
  readonly duplicates: number;
  /** Rows whose predecessor in the topic (`_previous_offset`) is not in the table. */
  readonly gaps: number;
}

/**
 * Every row mentions two offsets, its own and its predecessor's. Both come out of one scan: two scans of a table that
 * is being filled would see different rows, and call a row that came in between a gap.
 */
export function auditQuery(table: string): string {
  return `SELECT
    sum(greatest(stored, 1) - 1) AS duplicates,
    sumIf(preceding, stored = 0) AS gaps
FROM
(
    SELECT countIf(is_own) AS stored, countIf(NOT is_own) AS preceding
    FROM ${table}
    ARRAY JOIN
        [toInt64(_offset), _previous_offset] AS mentioned,
        [true, false] AS is_own
    WHERE mentioned >= 0
    GROUP BY _topic, _partition, mentioned
)`;
}

/** The sums over several tables. */
export async function audit(clickhouse: ClickHouse, tables: readonly string[]): Promise<Audit> {
  const total = { duplicates: 0, gaps: 0 };
  for (const table of tables) {
    const [found] = await clickhouse.query<Record<keyof Audit, string>>(auditQuery(table));
    total.duplicates += Number(found?.duplicates);
    total.gaps += Number(found?.gaps);
  }
  return total;
}
