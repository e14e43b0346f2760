import type { Absence } from '../same-columns.js';
import type { Paths } from './counterparts.js';

/** Counters and sizes of operations, the same in the statistics of nodes and indices. */
export const operations: Paths = {
  indexing_total: 'indexing.index_total',
  indexing_time_ms: 'indexing.index_time_in_millis',
  indexing_current: 'indexing.index_current',
  indexing_failed: 'indexing.index_failed',
  indexing_version_conflicts: 'indexing.index_failed_due_to_version_conflict',
  indexing_throttle_time_ms: 'indexing.throttle_time_in_millis',
  indexing_is_throttled: 'indexing.is_throttled',
  deletes_total: 'indexing.delete_total',
  deletes_time_ms: 'indexing.delete_time_in_millis',
  gets_total: 'get.total',
  gets_time_ms: 'get.time_in_millis',
  gets_missing_total: 'get.missing_total',
  gets_current: 'get.current',
  search_open_contexts: 'search.open_contexts',
  queries_total: 'search.query_total',
  queries_time_ms: 'search.query_time_in_millis',
  queries_current: 'search.query_current',
  queries_failed: 'search.query_failure',
  fetches_total: 'search.fetch_total',
  fetches_time_ms: 'search.fetch_time_in_millis',
  fetches_current: 'search.fetch_current',
  fetches_failed: 'search.fetch_failure',
  scrolls_total: 'search.scroll_total',
  scrolls_time_ms: 'search.scroll_time_in_millis',
  scrolls_current: 'search.scroll_current',
  suggests_total: 'search.suggest_total',
  suggests_time_ms: 'search.suggest_time_in_millis',
  suggests_current: 'search.suggest_current',
  merges_current: 'merges.current',
  merges_current_bytes: 'merges.current_size_in_bytes',
  merges_total: 'merges.total',
  merges_time_ms: 'merges.total_time_in_millis',
  merges_docs: 'merges.total_docs',
  merges_bytes: 'merges.total_size_in_bytes',
  merges_stopped_time_ms: 'merges.total_stopped_time_in_millis',
  merges_throttled_time_ms: 'merges.total_throttled_time_in_millis',
  refreshes_total: 'refresh.total',
  refreshes_time_ms: 'refresh.total_time_in_millis',
  flushes_total: 'flush.total',
  flushes_time_ms: 'flush.total_time_in_millis',
  segments_count: 'segments.count',
  segments_memory_bytes: 'segments.memory_in_bytes',
  segments_terms_memory_bytes: 'segments.terms_memory_in_bytes',
  segments_stored_fields_memory_bytes: 'segments.stored_fields_memory_in_bytes',
  segments_term_vectors_memory_bytes: 'segments.term_vectors_memory_in_bytes',
  segments_norms_memory_bytes: 'segments.norms_memory_in_bytes',
  segments_points_memory_bytes: 'segments.points_memory_in_bytes',
  segments_doc_values_memory_bytes: 'segments.doc_values_memory_in_bytes',
  segments_index_writer_bytes: 'segments.index_writer_memory_in_bytes',
  segments_version_map_bytes: 'segments.version_map_memory_in_bytes',
  segments_fixed_bit_set_bytes: 'segments.fixed_bit_set_memory_in_bytes',
  translog_operations: 'translog.operations',
  translog_bytes: 'translog.size_in_bytes',
  translog_uncommitted_operations: 'translog.uncommitted_operations',
  translog_uncommitted_bytes: 'translog.uncommitted_size_in_bytes',
  query_cache_bytes: 'query_cache.memory_size_in_bytes',
  query_cache_hits: 'query_cache.hit_count',
  query_cache_misses: 'query_cache.miss_count',
  query_cache_evictions: 'query_cache.evictions',
  request_cache_bytes: 'request_cache.memory_size_in_bytes',
  request_cache_hits: 'request_cache.hit_count',
  request_cache_misses: 'request_cache.miss_count',
  request_cache_evictions: 'request_cache.evictions',
  fielddata_bytes: 'fielddata.memory_size_in_bytes',
  fielddata_evictions: 'fielddata.evictions',
  completion_bytes: 'completion.size_in_bytes',
  bulks_total: 'bulk.total_operations',
  bulks_time_ms: 'bulk.total_time_in_millis',
  bulks_bytes: 'bulk.total_size_in_bytes',
  recovery_throttle_time_ms: 'recovery.throttle_time_in_millis',
};

/** Elasticsearch 8 keeps these fields, but always reports 0. */
const falseZeros: readonly string[] = Object.keys(operations).filter((column) =>
  /^segments_(?:\w+_)?memory_bytes$/.test(column),
);

/** With the first major version that reports them; 7.17 and 8.14 represent 7 and 8 in the tests. */
const later: Readonly<Record<string, number>> = {
  bulks_total: 8,
  bulks_time_ms: 8,
  bulks_bytes: 8,
  queries_failed: 9,
  fetches_failed: 9,
  indexing_version_conflicts: 9,
};

export const falseZero = /^from Elasticsearch 8 on this field is always 0/;
const notGiven = /^the cluster \(version \d\S+\) did not report it/;

/** The fields of operations that a version does not report; `prefix` is where `unavailable` lists them. */
export function absentOperations(prefix: string, major: number): Record<string, Absence> {
  const missing = Object.keys(later).filter((column) => major < (later[column] ?? 0));
  return Object.fromEntries([
    ...missing.map((column) => [column, { field: `${prefix}.${column}`, reason: notGiven }]),
    ...(major < 8
      ? []
      : falseZeros.map((column) => [column, { field: `${prefix}.${column}`, reason: falseZero }])),
  ]) as Record<string, Absence>;
}
