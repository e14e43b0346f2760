import type { ClickHouse } from './client.js';
import { ageInDays, expiryOf, type Expiry } from './expiry.js';

/** What is between Kafka and one table. Nothing is wrong where every record that must be in it is there exactly once. */
export interface Audit {
  /** Rows beyond the first for the same topic, partition, offset and, where a record has several rows, index. */
  readonly duplicates: number;
  /** Rows that others name, as the one before them or the last of their record, and that are missing although they can't have expired. */
  readonly gaps: number;
  /** Those that are missing and may have expired. */
  readonly expired: number;
}

/** How many rows a record makes in a table; where several, they have `_index` and `_rows`. */
export type RowsARecord = 'one' | 'several';

/**
 * Every row mentions offsets: its own and its predecessor's; where a record has several rows, places, that is offset
 * and index, and also that of the last row of its record. All come out of one scan: two scans of a table that is being
 * filled would see different rows, and call a row that came in between a gap.
 *
 * A table expires in the order of its log (expiry.ts), so that what is missing behind a row whose time has not come is
 * a gap; before the first such row of a partition it can't be told from what has expired.
 */
export function auditQuery(table: string, rowsARecord: RowsARecord = 'one', expiry?: Expiry): string {
  const { mentioned, isOwn, offset } = rowsARecord === 'one' ? offsetsOfRow : placesOfRow;
  const kept = expiry === undefined ? 'true' : `${expiry.moment} + toIntervalDay(${expiry.days}) > now()`;
  return `SELECT
    sum(copies) AS duplicates,
    sum(arrayCount(one -> ifNull(one >= first_kept, false), missing)) AS gaps,
    sum(length(missing)) - gaps AS expired
FROM
(
    SELECT
        sum(greatest(stored, 1) - 1) AS copies,
        groupArrayIf(offset, stored = 0) AS missing,
        minOrNullIf(offset, kept > 0) AS first_kept
    FROM
    (
        SELECT
            _topic,
            _partition,
            _run,
            ${offset} AS offset,
            countIf(is_own) AS stored,
            countIf(is_own AND ${kept}) AS kept
        FROM ${table}
        ARRAY JOIN
            ${mentioned} AS mentioned,
            ${isOwn} AS is_own
        WHERE ${offset} >= 0
        GROUP BY _topic, _partition, _run, mentioned
    )
    GROUP BY _topic, _partition, _run
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
  const total = { duplicates: 0, gaps: 0, expired: 0 };
  for (const table of tables) {
    const { duplicates, gaps, expired } = await auditOne(clickhouse, table);
    total.duplicates += duplicates;
    total.gaps += gaps;
    total.expired += expired;
  }
  return total;
}

async function auditOne(clickhouse: ClickHouse, table: string): Promise<Audit> {
  const expiry = await expiryOf(clickhouse, table);
  const [found] = await clickhouse.query<Record<keyof Audit, string>>(
    auditQuery(table, await rowsARecordOf(clickhouse, table), expiry),
  );
  const [duplicates, gaps, expired] = [
    Number(found?.duplicates),
    Number(found?.gaps),
    Number(found?.expired),
  ];
  // In an installation that is younger than its rows may grow, nothing has expired.
  const isYoung = expired > 0 && expiry !== undefined && (await ageInDays(clickhouse)) < expiry.days;
  return isYoung ? { duplicates, gaps: gaps + expired, expired: 0 } : { duplicates, gaps, expired };
}

async function rowsARecordOf(clickhouse: ClickHouse, table: string): Promise<RowsARecord> {
  const columns = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE concat(database, '.', table) = {table:String} AND name = '_index'`,
    { table },
  );
  return columns.length === 0 ? 'one' : 'several';
}
