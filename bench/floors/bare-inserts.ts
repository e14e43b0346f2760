import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { insertSettings, type ClickHouse, type ClickHouseOptions } from '../../runtime/clickhouse/client.js';

/** An insert of newline-delimited JSON, and how often it is to be made. */
export interface BareInserts {
  readonly table: string;
  readonly ndjson: readonly Buffer[];
  readonly rows: number;
  readonly times: number;
}

/**
 * What a plain program does that has row objects and inserts them: @clickhouse/client encodes a batch and sends it, then
 * comes the next. Rows a second, and microseconds of this process's CPU a row.
 */
export async function insertObjects(
  { url, user, password }: ClickHouseOptions,
  { table, ndjson, rows, times }: BareInserts,
): Promise<{ readonly rowsASecond: number; readonly cpuMicros: number }> {
  const client = createClient({ url, username: user, password });
  const lines = Buffer.concat(ndjson).toString().trimEnd().split('\n');
  const values = lines.map((line) => JSON.parse(line) as unknown);
  const run = randomUUID();
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let index = 0; index < times; index++) {
    const clickhouse_settings = insertSettings(`${run}-${index}`);
    await client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings });
  }
  const seconds = (performance.now() - started) / 1_000;
  const { user: own, system } = process.cpuUsage(cpu);
  await client.close();
  return { rowsASecond: (rows * times) / seconds, cpuMicros: (own + system) / (rows * times) };
}

/** The most that ClickHouse takes: bytes that are finished, several inserts at once. Rows a second. */
export async function insertBytes(
  clickhouse: Pick<ClickHouse, 'insert'>,
  { table, ndjson, rows, times }: BareInserts,
  atOnce: number,
): Promise<number> {
  const run = randomUUID();
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < times; index = next++)
        await clickhouse.insert(table, ndjson, `${run}-${index}`);
    }),
  );
  return (rows * times) / ((performance.now() - started) / 1_000);
}
