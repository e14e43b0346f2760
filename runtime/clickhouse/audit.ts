import type { ClickHouse } from './client.js';

/** What is wrong between Kafka and one table; both are 0 where every record is in it exactly once. */
export interface Audit {
  /** Rows beyond the first for the same topic, partition, offset and, where a record has several rows, index. */
  readonly duplicates: number;
  /** Rows that others name, as the one before them or the last of their record, and that are not in the table. */
  readonly gaps: number;
}

/** How many rows a record makes in a table; where several, they have `_index` and `_rows`. */
export type RowsARecord = 'one' | 'several';

/**
 * Every row mentions offsets: its own and its predecessor's; where a record has several rows, places, that is offset
 * and index, and also that of the last row of its record. All come out of one scan: two scans of a table that is being
 * filled would see different rows, and call a row that came in between a gap.
 */
export function auditQuery(table: string, rowsARecord: RowsARecord = 'one'): string {
  const { mentioned, isOwn, offset } = rowsARecord === 'one' ? offsetsOfRow : placesOfRow;
  return `SELECT
    sum(greatest(stored, 1) - 1) AS duplicates,
    sumIf(preceding, stored = 0) AS gaps
FROM
(
    SELECT countIf(is_own) AS stored, countIf(NOT is_own) AS preceding
    FROM ${table}
    ARRAY JOIN
        ${mentioned} AS mentioned,
        ${isOwn} AS is_own
    WHERE ${offset} >= 0
    GROUP BY _topic, _partition, _run, mentioned
)`;
}

const offsetsOfRow = {
  mentioned: '[toInt64(_offset), _previous_offset]',
  isOwn: '[true, false]',
  offset: 'mentioned',
};

const placesOfRow = {
  mentioned: `[
            (toInt64(_offset), toInt64(_index)),
            if(_index = 0, (_previous_offset, 0), (toInt64(_offset), _index - 1)),
            (toInt64(_offset), _rows - 1)
        ]`,
  isOwn: '[true, false, false]',
  offset: 'mentioned.1',
};

/** The sums over several tables. */
export async function audit(clickhouse: ClickHouse, tables: readonly string[]): Promise<Audit> {
  const total = { duplicates: 0, gaps: 0 };
  for (const table of tables) {
    const [found] = await clickhouse.query<Record<keyof Audit, string>>(
      auditQuery(table, await rowsARecordOf(clickhouse, table)),
    );
    total.duplicates += Number(found?.duplicates);
    total.gaps += Number(found?.gaps);
  }
  return total;
}

async function rowsARecordOf(clickhouse: ClickHouse, table: string): Promise<RowsARecord> {
  const columns = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE concat(database, '.', table) = {table:String} AND name = '_index'`,
    { table },
  );
  return columns.length === 0 ? 'one' : 'several';
}
