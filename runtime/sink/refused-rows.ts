import { randomBytes } from 'node:crypto';
import { TelltaleError } from '../errors.js';
import { patiently, type SinkContext, type Tenure } from './environment.js';
import { chainedRows, findRefused, type SinkRecord } from './row-range.js';

export type RecordOfRows = Extract<SinkRecord, { kind: 'row' }>;

/**
 * Finds the records whose rows ClickHouse refuses for their content, without a trace in the table: the tries go to a table of
 * the same columns that keeps nothing. So what is found can be written into the intent before anything is inserted.
 */
export async function refusedRows(
  environment: SinkContext,
  partition: number,
  rows: readonly RecordOfRows[],
  most: number,
  tenure: Tenure,
): Promise<{
  readonly refused: readonly RecordOfRows[];
  readonly complete: boolean;
  readonly reason: string;
}> {
  const { clickhouse, sink } = environment;
  const nowhere = `${sink.table}${checkSuffix(partition)}${randomBytes(6).toString('hex')}`;
  let reason = '';
  const accepts = async (part: readonly RecordOfRows[]): Promise<boolean> => {
    const { ndjson } = chainedRows(part, -1, '');
    try {
      await patiently(environment, tenure, () => clickhouse.insert(nowhere, ndjson, ''));
      return true;
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'ROWS_REJECTED') throw error;
      reason = error.message;
      return false;
    }
  };
  await patiently(environment, tenure, () =>
    clickhouse.command(`CREATE TABLE IF NOT EXISTS ${nowhere} AS ${sink.table} ENGINE = Null`),
  );
  try {
    return { ...(await findRefused(rows, accepts, most)), reason };
  } finally {
    await clickhouse.command(`DROP TABLE IF EXISTS ${nowhere}`).catch(() => undefined);
  }
}

const checkSuffix = (partition: number): string => `_check_${partition}_`;

/** Drops the tables for checking that a predecessor on this partition, killed amid a search, has left. */
export async function dropLeftovers({ clickhouse, sink }: SinkContext, partition: number): Promise<void> {
  const tables = await clickhouse.query<{ leftover: string }>(
    `SELECT concat(database, '.', name) AS leftover FROM system.tables
     WHERE startsWith(concat(database, '.', name), {prefix:String})`,
    { prefix: `${sink.table}${checkSuffix(partition)}` },
  );
  for (const { leftover } of tables) await clickhouse.command(`DROP TABLE IF EXISTS ${leftover}`);
}
