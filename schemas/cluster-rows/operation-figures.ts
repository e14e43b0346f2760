import { operationFieldNames } from '../snapshots/operations.js';

/**
 * The figures that are derived from the operation counters of two snapshots of one incarnation. `_per_second`
 * is a rate, `_latency_ms` the mean time of an operation in the interval (null if there was none), `_ratio` a
 * part of a whole in 0..1, `_share` a fraction of the wall clock time (above 1 if several threads work).
 */
export const operationFigures = [
  'queries_per_second',
  'query_latency_ms',
  'queries_failed_per_second',
  'fetches_per_second',
  'fetch_latency_ms',
  'scrolls_per_second',
  'scroll_latency_ms',
  'suggests_per_second',
  'suggest_latency_ms',
  'gets_per_second',
  'get_latency_ms',
  'get_miss_ratio',
  'indexed_per_second',
  'indexing_latency_ms',
  'indexing_failures_per_second',
  'indexing_throttle_share',
  'deletes_per_second',
  'delete_latency_ms',
  'bulks_per_second',
  'bulk_latency_ms',
  'bulk_bytes_per_second',
  'merges_per_second',
  'merge_latency_ms',
  'merge_bytes_per_second',
  'merge_share',
  'merge_throttle_share',
  'merge_stopped_share',
  'refreshes_per_second',
  'refresh_latency_ms',
  'flushes_per_second',
  'flush_latency_ms',
  'query_cache_hit_ratio',
  'query_cache_evictions_per_second',
  'request_cache_hit_ratio',
  'request_cache_evictions_per_second',
  'fielddata_evictions_per_second',
  'recovery_throttle_share',
] as const;

export type OperationFigure = (typeof operationFigures)[number];
export type OperationFigures = Readonly<Record<OperationFigure, number | null>>;

/** The columns of operations in a node's row, and in an index's. */
export const operationColumns = [
  ...operationFieldNames,
  'indexing_is_throttled',
  ...operationFigures,
] as const;
