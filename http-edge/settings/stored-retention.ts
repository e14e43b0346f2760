import type { Store } from '../clusters/read/store.js';
import type { Kept } from './settings-reader.js';

/** The tables of the pipeline, and after how many days ClickHouse drops their rows. */
export async function tableRetention(store: Store): Promise<readonly Kept[]> {
  const rows = await store.query<{ readonly name: string; readonly days: string }>(
    `SELECT name, extract(engine_full, 'TTL .*toIntervalDay\\\\((\\\\d+)\\\\)') AS days
     FROM system.tables WHERE database = 'telltale' AND engine LIKE '%MergeTree' AND name NOT LIKE '.%'
     ORDER BY name`,
  );
  return rows.map(({ name, days }) => ({ name, days: days === '' ? null : Number(days) }));
}
