import { insertSettings, type ClickHouse } from '../../clickhouse/client.js';
import { shadowOf } from './shadow-table.js';

/** Rows of one partition of a topic, in one life of its log. */
export interface RowsOf {
  readonly partition: number;
  readonly run: string;
}

/** Rows of a chunk; an insert of so many is one block, and known by its token. */
const chunkRows = 20_000;

/**
 * Copies the rows of these offsets, `to` not included, from the table into its shadow, in chunks that are known by their
 * tokens: a chunk that a killed predecessor has begun is stored once. No row may come to these offsets any more.
 */
export async function copyRows(
  clickhouse: ClickHouse,
  table: string,
  { partition, run }: RowsOf,
  from: number,
  to: number,
  did: (rows: number) => Promise<void>,
): Promise<void> {
  const where = 'WHERE _partition = {partition:UInt16} AND _run = {run:String}';
  for (let lo = from; lo < to;) {
    const [chunk] = await clickhouse.query<{ rows: string; hi: string }>(
      `SELECT count() AS rows, max(_offset) AS hi FROM
       (
           SELECT _offset FROM ${table} ${where} AND _offset >= {lo:UInt64} AND _offset < {to:UInt64}
           ORDER BY _offset LIMIT ${chunkRows}
       )`,
      { partition, run, lo, to },
    );
    const rows = Number(chunk?.rows);
    if (rows === 0) return;
    const hi = Number(chunk?.hi);
    await clickhouse.command(
      `INSERT INTO ${shadowOf(table)} SELECT * FROM ${table}
       WHERE _partition = ${partition} AND _run = '${run}' AND _offset BETWEEN ${lo} AND ${hi}
       SETTINGS ${settingsOf(`copy:${run}:${partition}:${lo}-${hi}`)}`,
    );
    await did(rows);
    lo = hi + 1;
  }
}

function settingsOf(token: string): string {
  return Object.entries({ ...insertSettings(token), max_threads: 1 })
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${String(value)}'`}`)
    .join(', ');
}
