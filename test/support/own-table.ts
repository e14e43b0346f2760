import type { ClickHouse } from '../../runtime/clickhouse/client.js';

/**
 * Puts an empty table of the same form in the place of a table, so that a test has its own rows under the real name;
 * gives what puts the table back as it was.
 */
export async function emptyInPlaceOf(clickhouse: ClickHouse, table: string): Promise<() => Promise<void>> {
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
