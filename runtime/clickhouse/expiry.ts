import type { ClickHouse } from './client.js';

/** When a table drops a row: a number of days after a timestamp, which is an expression of its columns. */
export interface Expiry {
  readonly timestamp: string;
  readonly days: number;
}

/**
 * The expiry that the table itself declares; undefined if it keeps all rows. Every table of a sink counts
 * from the row's arrival, here or in Kafka, never from a time that a client names. So rows expire in the
 * order of the log, and the audit can tell expired rows from lost ones.
 */
export async function expiryOf(clickhouse: ClickHouse, table: string): Promise<Expiry | undefined> {
  const [found] = await clickhouse.query<{ engine: string }>(
    `SELECT engine_full AS engine FROM system.tables WHERE concat(database, '.', name) = {table:String}`,
    { table },
  );
  const [, timestamp, days] = /\bTTL (.+?) \+ toIntervalDay\((\d+)\)/.exec(found?.engine ?? '') ?? [];
  return timestamp === undefined ? undefined : { timestamp, days: Number(days) };
}

/** The age of the installation in whole days, since its first migration was applied. */
export async function ageInDays(clickhouse: ClickHouse): Promise<number> {
  const [found] = await clickhouse.query<{ days: string }>(
    `SELECT dateDiff('day', min(applied_at), now()) AS days FROM telltale.schema_migrations`,
  );
  return Number(found?.days);
}
