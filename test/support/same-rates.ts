import assert from 'node:assert/strict';
import type { StoredRow } from './same-columns.js';

/** The growth of the counter in a column; null where it is not counted. */
type Grown = (column: string) => number | null;
type Formula = (grown: Grown, seconds: number) => number | null;

const quotient = (dividend: number | null, divisor: number | null): number | null =>
  dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;

const growth =
  (column: string): Formula =>
  (grown) =>
    grown(column);
const rate =
  (column: string, unit = 1): Formula =>
  (grown, seconds) =>
    quotient(grown(column), seconds / unit);
const mean =
  (time: string, count: string): Formula =>
  (grown) =>
    quotient(grown(time), grown(count));
/** The share of the wall-clock time; one second has `aSecond` of the counted units. */
const share =
  (time: string, aSecond = 1_000): Formula =>
  (grown, seconds) =>
    quotient(grown(time), seconds * aSecond);
const part =
  (one: string, other: string): Formula =>
  (grown) => {
    const [hits, misses] = [grown(one), grown(other)];
    return hits === null || misses === null ? null : quotient(hits, hits + misses);
  };
/** Version conflicts don't count as failures if they are counted separately. */
const failures: Formula = (grown, seconds) => {
  const [failed, conflicts] = [grown('indexing_failed'), grown('indexing_version_conflicts')];
  return failed === null ? null : (failed - (conflicts ?? 0)) / seconds;
};

type Formulas = Readonly<Record<string, Formula>>;

const counted = (name: string, counter: string, latency: string): Formulas => ({
  [`${name}_per_second`]: rate(`${counter}_total`),
  [latency]: mean(`${counter}_time_ms`, `${counter}_total`),
});

const ofOperations: Formulas = {
  ...counted('queries', 'queries', 'query_latency_ms'),
  ...counted('fetches', 'fetches', 'fetch_latency_ms'),
  ...counted('scrolls', 'scrolls', 'scroll_latency_ms'),
  ...counted('suggests', 'suggests', 'suggest_latency_ms'),
  ...counted('gets', 'gets', 'get_latency_ms'),
  ...counted('indexed', 'indexing', 'indexing_latency_ms'),
  ...counted('deletes', 'deletes', 'delete_latency_ms'),
  ...counted('bulks', 'bulks', 'bulk_latency_ms'),
  ...counted('merges', 'merges', 'merge_latency_ms'),
  ...counted('refreshes', 'refreshes', 'refresh_latency_ms'),
  ...counted('flushes', 'flushes', 'flush_latency_ms'),
  queries_failed_per_second: rate('queries_failed'),
  indexing_failures_per_second: failures,
  bulk_bytes_per_second: rate('bulks_bytes'),
  merge_bytes_per_second: rate('merges_bytes'),
  query_cache_evictions_per_second: rate('query_cache_evictions'),
  request_cache_evictions_per_second: rate('request_cache_evictions'),
  fielddata_evictions_per_second: rate('fielddata_evictions'),
  get_miss_ratio: mean('gets_missing_total', 'gets_total'),
  query_cache_hit_ratio: part('query_cache_hits', 'query_cache_misses'),
  request_cache_hit_ratio: part('request_cache_hits', 'request_cache_misses'),
  indexing_throttle_share: share('indexing_throttle_time_ms'),
  merge_share: share('merges_time_ms'),
  merge_throttle_share: share('merges_throttled_time_ms'),
  merge_stopped_share: share('merges_stopped_time_ms'),
  recovery_throttle_share: share('recovery_throttle_time_ms'),
};

/** For a node's caches, whose sums lose a departing shard's share: only if no shard is known to have left. */
const ofCaches = Object.fromEntries(
  Object.entries(ofOperations)
    .filter(([figure]) => /^(?:query_cache|request_cache|fielddata)_/.test(figure))
    .map(([figure, formula]): [string, Formula] => [
      figure,
      (grown, seconds) => {
        const left = cacheCounters.some((counter) => (grown(counter) ?? 0) < 0);
        const held = grown('shards_count');
        return left || held === null || held < 0 ? null : formula(grown, seconds);
      },
    ]),
);
const cacheCounters = ['query_cache', 'request_cache']
  .flatMap((cache) => [`${cache}_hits`, `${cache}_misses`, `${cache}_evictions`])
  .concat('fielddata_evictions');

export const nodeRates: Formulas = {
  ...ofOperations,
  ...ofCaches,
  process_cpu_share: share('process_cpu_time_ms'),
  cpu_throttled_share: share('cgroup_cpu_throttled_nanos', 1e9),
  io_reads_per_second: rate('io_read_operations'),
  io_writes_per_second: rate('io_write_operations'),
  io_read_bytes_per_second: rate('io_read_kilobytes', 1_024),
  io_write_bytes_per_second: rate('io_write_kilobytes', 1_024),
  transport_rx_bytes_per_second: rate('transport_rx_bytes'),
  transport_tx_bytes_per_second: rate('transport_tx_bytes'),
  http_opened_per_second: rate('http_opened_total'),
  'garbage_collectors.collections': growth('garbage_collectors.count'),
  'garbage_collectors.pause_ms': mean('garbage_collectors.time_ms', 'garbage_collectors.count'),
  'garbage_collectors.time_share': share('garbage_collectors.time_ms'),
  'thread_pools.rejections': growth('thread_pools.rejected'),
  'thread_pools.completed_per_second': rate('thread_pools.completed'),
  'circuit_breakers.trips': growth('circuit_breakers.tripped'),
};

/** For an index whose only copies are its primaries. */
export const indexRates: Formulas = {
  ...ofOperations,
  primary_indexed_per_second: rate('indexing_total'),
  primary_indexing_latency_ms: mean('indexing_time_ms', 'indexing_total'),
  primary_deletes_per_second: rate('deletes_total'),
  primary_merges_per_second: rate('merges_total'),
  primary_merge_bytes_per_second: rate('merges_bytes'),
  primary_refreshes_per_second: rate('refreshes_total'),
  primary_refresh_latency_ms: mean('refreshes_time_ms', 'refreshes_total'),
  primary_flushes_per_second: rate('flushes_total'),
  primary_flush_latency_ms: mean('flushes_time_ms', 'flushes_total'),
};

/** For sums over shards; `growth_gap` says if the two rows cover different shards. */
export const indexGrowth: Formulas = {
  docs_growth_per_second: rate('docs_count'),
  store_growth_bytes_per_second: rate('store_bytes'),
  primary_store_growth_bytes_per_second: rate('primary_store_bytes'),
};

export const clusterGrowth: Formulas = {
  docs_growth_per_second: rate('docs_count'),
  store_growth_bytes_per_second: rate('store_bytes'),
};

export const recoverySpeed: Formulas = { bytes_per_second: rate('bytes_recovered') };

/** The clock that measures the interval: the node's or the agent's. */
export type Clock = 'measured_at' | 'taken_at';

/** Each element of a list, or the single value. */
const elements = (row: StoredRow | undefined, column: string): readonly unknown[] => [row?.[column]].flat();

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/**
 * Checks the rates of a row against its counters and those of the previous row. Without a previous row, every
 * figure that needs one must be null.
 */
export function sameRates(
  formulas: Formulas,
  before: StoredRow | undefined,
  row: StoredRow,
  clock: Clock,
): void {
  const seconds = before === undefined ? NaN : (timestampOf(row, clock) - timestampOf(before, clock)) / 1_000;
  const wrong: string[] = [];
  for (const [figure, formula] of Object.entries(formulas)) {
    elements(row, figure).forEach((value, index) => {
      const grown: Grown = (column) => {
        const [then, now] = [before, row].map((each) => number(elements(each, column)[index]));
        return typeof then !== 'number' || typeof now !== 'number' ? null : now - then;
      };
      const expected = before === undefined ? null : formula(grown, seconds);
      if (!isAbout(number(value), expected))
        wrong.push(`${figure} is ${String(value)}, not ${String(expected)}`);
    });
  }
  assert.deepEqual(wrong, [], `from ${String(before?.[clock])} to ${String(row[clock])}`);
}

/** Checks each row against the previous one; after a gap, figures that need the previous row must be null. */
export function sameAlong(
  rows: readonly StoredRow[],
  clock: Clock,
  formulas: Formulas,
  gap: 'gap' | 'growth_gap' = 'gap',
): void {
  rows.forEach((row, index) => {
    const hasGap = (row[gap] ?? null) !== null;
    sameRates(formulas, hasGap ? undefined : rows[index - 1], row, clock);
  });
  assert.ok(rows.length > 1, 'there is one to compare with');
}

const timestampOf = (row: StoredRow, clock: string): number =>
  Date.parse(`${String(row[clock]).replace(' ', 'T')}Z`);

const isAbout = (one: number | null, other: number | null): boolean =>
  one === null || other === null
    ? one === other
    : Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
