import { randomBytes } from 'node:crypto';
import { TelltaleError } from '../errors.js';
import type { WriterSchema } from '../registry/writer-schemas.js';
import type { SinkEnvironment } from './environment.js';
import { findRefused } from './find-refused.js';
import type { PartitionWork } from './partition-work.js';
import type { StoredRecord } from './sink-record.js';

/**
 * Finds the records whose rows ClickHouse refuses for their content, without a trace in the table: it tries
 * them on a table with the same columns that stores nothing. So the intent can name them before anything is
 * inserted.
 */
export async function refusedRecords(
  work: PartitionWork,
  schema: WriterSchema,
  records: readonly StoredRecord[],
  most: number,
): Promise<{
  readonly refused: readonly StoredRecord[];
  readonly complete: boolean;
  readonly reason: string;
}> {
  const { clickhouse, sink } = work.environment;
  const nowhere = `${sink.table}${checkSuffix(work.partition)}${randomBytes(6).toString('hex')}`;
  let reason = '';
  const accepts = async (part: readonly StoredRecord[]): Promise<boolean> => {
    try {
      await work.insert(nowhere, { schema, records: part, previous: -1 }, 'check');
      return true;
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'ROWS_REJECTED') throw error;
      reason = error.message;
      return false;
    }
  };
  // AS SELECT: AS a table copies its constraints, such as a replay's gate (gate.ts), which nobody opens here.
  await work.retryUntilAvailable(() =>
    clickhouse.command(
      `CREATE TABLE IF NOT EXISTS ${nowhere} ENGINE = Null AS SELECT * FROM ${sink.table} LIMIT 0`,
    ),
  );
  try {
    // A statement that is refused even without records is at fault itself.
    if (!(await accepts([]))) return { refused: [], complete: false, reason };
    return { ...(await findRefused(records, accepts, most)), reason };
  } finally {
    await clickhouse.command(`DROP TABLE IF EXISTS ${nowhere}`).catch(() => undefined);
  }
}

const checkSuffix = (partition: number): string => `_check_${partition}_`;

/** Drops the check tables that a predecessor on this partition left when it was killed during a search. */
export async function dropLeftovers({ clickhouse, sink }: SinkEnvironment, partition: number): Promise<void> {
  const tables = await clickhouse.query<{ leftover: string }>(
    `SELECT concat(database, '.', name) AS leftover FROM system.tables
     WHERE startsWith(concat(database, '.', name), {prefix:String})`,
    { prefix: `${sink.table}${checkSuffix(partition)}` },
  );
  for (const { leftover } of tables) await clickhouse.command(`DROP TABLE IF EXISTS ${leftover}`);
}
