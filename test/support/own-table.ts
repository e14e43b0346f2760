import type { ClickHouse } from '../../runtime/clickhouse/client.js';

/**
 * Replaces a table by an empty one of the same form, so that a test has only its own rows under the real
 * name. Returns a function that restores the table.
 */
export async function replaceByEmptyTable(
  clickhouse: ClickHouse,
  table: string,
): Promise<() => Promise<void>> {
  const aside = `${table}_aside`;
  await clickhouse.command(`DROP TABLE IF EXISTS ${aside}`);
  await clickhouse.command(`CREATE TABLE ${aside} AS ${table}`);
  const exchange = (): Promise<void> => clickhouse.command(`EXCHANGE TABLES ${table} AND ${aside}`);
  await exchange();
  return async () => {
    await exchange();
    await clickhouse.command(`DROP TABLE ${aside} SYNC`);
  };
}
