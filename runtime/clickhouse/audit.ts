import type { ClickHouse } from './client.js';
import { ageInDays, expiryOf, type Expiry } from './expiry.js';

/** How one table differs from its topic. Correct if every record that must be in it is there exactly once. */
export interface Audit {
  /**
   * Rows beyond the first for the same topic, partition and offset (and index, if a record has several rows).
   * Also ids at several offsets: a record that was appended twice has a different offset each time.
   */
  readonly duplicates: number;
  /**
   * Missing rows that can't have expired. Another row names each, as its predecessor or as its record's last
   * row.
   */
  readonly gaps: number;
  /** Rows that are missing and might have expired. */
  readonly expired: number;
}

/** A table that is audited. */
export interface AuditedTable {
  /** The qualified name, as in `telltale.table`. */
  readonly table: string;
  /**
   * Columns with values unique per record, because we generate them; absent if clients may repeat a record.
   */
  readonly id?: string;
}

/** How many rows one record becomes in a table. If several, they have `_index` and `_rows`. */
export type RowsPerRecord = 'one' | 'several';

/**
 * Every row mentions offsets: its own and its predecessor's. If a record has several rows, they are pairs of
 * offset and index, and a row also mentions the last row of its record. One scan collects them all: in two
 * scans of a table that is being filled, a row inserted between them would count as a gap.
 *
 * A table expires in the order of its log (expiry.ts). So a row missing after one that is not yet due to
 * expire is a gap. A row missing before the first such row of its partition might have expired.
 */
export function auditQuery(table: string, rowsPerRecord: RowsPerRecord = 'one', expiry?: Expiry): string {
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
${mentionedOffsets(table, rowsPerRecord, expiry)}
    )
    GROUP BY _topic, _partition, _run
)`;
}

/** Ids at more than one offset of a topic. */
function repeatedIdsQuery(table: string, id: string, rowsPerRecord: RowsPerRecord): string {
  return `SELECT count() AS repeated
FROM
(
    SELECT min((_partition, _offset)) AS first_place, max((_partition, _offset)) AS last_place
    FROM ${table}${rowsPerRecord === 'one' ? '' : '\n    WHERE _index = 0'}
    GROUP BY _topic, ${id}
    HAVING first_place != last_place
)`;
}

/** The offsets of one partition and run that rows mention but that are not stored. */
export interface MissingOffsets {
  readonly partition: number;
  readonly run: string;
  readonly offsets: readonly number[];
}

/** The offsets that `audit` counts as gaps. */
export async function missingOffsets(
  clickhouse: ClickHouse,
  table: string,
): Promise<readonly MissingOffsets[]> {
  const expiry = await expiryOf(clickhouse, table);
  const rows = await clickhouse.query<{
    readonly partition: number;
    readonly run: string;
    readonly missing: readonly string[];
    readonly first_kept: string | null;
  }>(
    `SELECT _partition AS partition, _run AS run, arraySort(groupUniqArrayIf(offset, stored = 0)) AS missing,
        minOrNullIf(offset, kept > 0) AS first_kept
     FROM (${mentionedOffsets(table, await rowsPerRecordOf(clickhouse, table), expiry)})
     GROUP BY _topic, _partition, _run HAVING notEmpty(missing) ORDER BY partition, run`,
  );
  const nothingExpired = await isYoung(clickhouse, expiry);
  return rows.flatMap(({ partition, run, missing, first_kept: first }) => {
    const from = nothingExpired ? -Infinity : first === null ? Infinity : Number(first);
    const offsets = missing.map(Number).filter((offset) => offset >= from);
    return offsets.length === 0 ? [] : [{ partition, run, offsets }];
  });
}

/** Each offset, or pair of offset and index, that rows mention, with the number of rows stored there. */
function mentionedOffsets(table: string, rowsPerRecord: RowsPerRecord, expiry: Expiry | undefined): string {
  const { mentioned, isOwn, offset } = rowsPerRecord === 'one' ? offsetsOfRow : pairsOfRow;
  const kept = expiry === undefined ? 'true' : `${expiry.timestamp} + toIntervalDay(${expiry.days}) > now()`;
  return `        SELECT
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
        GROUP BY _topic, _partition, _run, mentioned`;
}

const offsetsOfRow = {
  mentioned: '[toInt64(_offset), _previous_offset]',
  isOwn: '[true, false]',
  offset: 'mentioned',
};

const pairsOfRow = {
  mentioned: `[
                (toInt64(_offset), toInt64(_index)),
                if(_index = 0, (_previous_offset, 0), (toInt64(_offset), _index - 1)),
                (toInt64(_offset), _rows - 1)
            ]`,
  isOwn: '[true, false, false]',
  offset: 'mentioned.1',
};

/** The sums over several tables. */
export async function audit(clickhouse: ClickHouse, tables: readonly AuditedTable[]): Promise<Audit> {
  const total = { duplicates: 0, gaps: 0, expired: 0 };
  for (const { table, id } of tables) {
    const rows = await rowsPerRecordOf(clickhouse, table);
    const { duplicates, gaps, expired } = await auditByOffset(clickhouse, table, rows);
    total.duplicates += duplicates + (id === undefined ? 0 : await repeatedIds(clickhouse, table, id, rows));
    total.gaps += gaps;
    total.expired += expired;
  }
  return total;
}

async function repeatedIds(
  clickhouse: ClickHouse,
  table: string,
  id: string,
  rowsPerRecord: RowsPerRecord,
): Promise<number> {
  const [found] = await clickhouse.query<{ repeated: string }>(repeatedIdsQuery(table, id, rowsPerRecord));
  return Number(found?.repeated);
}

async function auditByOffset(
  clickhouse: ClickHouse,
  table: string,
  rowsPerRecord: RowsPerRecord,
): Promise<Audit> {
  const expiry = await expiryOf(clickhouse, table);
  const [found] = await clickhouse.query<Record<keyof Audit, string>>(
    auditQuery(table, rowsPerRecord, expiry),
  );
  const [duplicates, gaps, expired] = [
    Number(found?.duplicates),
    Number(found?.gaps),
    Number(found?.expired),
  ];
  const nothingExpired = expired > 0 && (await isYoung(clickhouse, expiry));
  return nothingExpired ? { duplicates, gaps: gaps + expired, expired: 0 } : { duplicates, gaps, expired };
}

/** Whether the installation is younger than the lifetime of its rows, so that none has expired. */
async function isYoung(clickhouse: ClickHouse, expiry: Expiry | undefined): Promise<boolean> {
  return expiry !== undefined && (await ageInDays(clickhouse)) < expiry.days;
}

async function rowsPerRecordOf(clickhouse: ClickHouse, table: string): Promise<RowsPerRecord> {
  const columns = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE concat(database, '.', table) = {table:String} AND name = '_index'`,
    { table },
  );
  return columns.length === 0 ? 'one' : 'several';
}
