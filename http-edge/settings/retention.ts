import type { Store } from '../clusters/read/store.js';

/**
 * How long something is kept. Null if it is kept permanently, or if that is unknown: then `unknown` of the
 * list says why.
 */
export interface Kept {
  readonly name: string;
  readonly days: number | null;
}

/**
 * How long topics and tables keep their data, as configured in Kafka and ClickHouse. Rejects with the reason
 * if they can't be asked.
 */
export interface RetentionReader {
  topics(): Promise<readonly Kept[]>;
  tables(): Promise<readonly Kept[]>;
}

/** The tables of the pipeline, and after how many days ClickHouse drops their rows. */
export async function tableRetention(store: Store): Promise<readonly Kept[]> {
  const rows = await store.query<{ readonly name: string; readonly days: string }>(
    `SELECT name, extract(engine_full, 'TTL .*toIntervalDay\\\\((\\\\d+)\\\\)') AS days
     FROM system.tables WHERE database = 'telltale' AND engine LIKE '%MergeTree' AND name NOT LIKE '.%'
     ORDER BY name`,
  );
  return rows.map(({ name, days }) => ({ name, days: days === '' ? null : Number(days) }));
}
