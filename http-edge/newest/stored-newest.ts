import type { Store, StoredRow } from '../clusters/read/store.js';
import type { Newest, NewestReader } from './newest-reader.js';

/**
 * Each query reads the end of an order that starts with the workspace, or the rollup, and no row whole.
 * Senders' clocks can be wrong, so events and spans from the future are ignored.
 */
const queries: Readonly<Record<keyof Newest, string>> = {
  results: `SELECT toUnixTimestamp64Milli(accepted_at) AS at FROM telltale.scoring_result_versions
    WHERE workspace = {workspace:String} ORDER BY accepted_at DESC LIMIT 1`,
  events: `SELECT toUnixTimestamp(max(minute)) * 1000 AS at FROM telltale.events_1m
    WHERE workspace = {workspace:String} AND minute <= now() HAVING count() > 0`,
  spans: `SELECT toUnixTimestamp64Milli(Timestamp) AS at FROM telltale.otel_traces
    WHERE workspace = {workspace:String} AND is_entry AND Timestamp <= now64(9)
    ORDER BY Timestamp DESC LIMIT 1 SETTINGS use_skip_indexes_for_top_k = 1, use_top_k_dynamic_filtering = 1`,
};

/** Reads from ClickHouse as a read-only user. */
export function storedNewest(store: Store): NewestReader {
  return {
    async read(workspace) {
      const at = async (kind: keyof Newest): Promise<number | null> => {
        const [row] = await store.query<StoredRow>(queries[kind], { workspace });
        return row === undefined ? null : Number(row['at']);
      };
      const [results, events, spans] = await Promise.all([at('results'), at('events'), at('spans')]);
      return { results, events, spans };
    },
  };
}
