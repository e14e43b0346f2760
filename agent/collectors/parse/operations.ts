import type { OperationField, Operations } from '../../../schemas/snapshots/operations.js';
import { amountAt, flagAt, isFrom } from './answer.js';

/** Where Elasticsearch keeps each figure, in node stats and in index stats alike. */
const paths = {
  docs_count: ['docs', 'count'],
  docs_deleted: ['docs', 'deleted'],
  store_bytes: ['store', 'size_in_bytes'],
  indexing_total: ['indexing', 'index_total'],
  indexing_time_ms: ['indexing', 'index_time_in_millis'],
  indexing_current: ['indexing', 'index_current'],
  indexing_failed: ['indexing', 'index_failed'],
  indexing_version_conflicts: ['indexing', 'index_failed_due_to_version_conflict'],
  indexing_throttle_time_ms: ['indexing', 'throttle_time_in_millis'],
  deletes_total: ['indexing', 'delete_total'],
  deletes_time_ms: ['indexing', 'delete_time_in_millis'],
  gets_total: ['get', 'total'],
  gets_time_ms: ['get', 'time_in_millis'],
  gets_missing_total: ['get', 'missing_total'],
  gets_current: ['get', 'current'],
  search_open_contexts: ['search', 'open_contexts'],
  queries_total: ['search', 'query_total'],
  queries_time_ms: ['search', 'query_time_in_millis'],
  queries_current: ['search', 'query_current'],
  queries_failed: ['search', 'query_failure'],
  fetches_total: ['search', 'fetch_total'],
  fetches_time_ms: ['search', 'fetch_time_in_millis'],
  fetches_current: ['search', 'fetch_current'],
  fetches_failed: ['search', 'fetch_failure'],
  scrolls_total: ['search', 'scroll_total'],
  scrolls_time_ms: ['search', 'scroll_time_in_millis'],
  scrolls_current: ['search', 'scroll_current'],
  suggests_total: ['search', 'suggest_total'],
  suggests_time_ms: ['search', 'suggest_time_in_millis'],
  suggests_current: ['search', 'suggest_current'],
  merges_current: ['merges', 'current'],
  merges_current_bytes: ['merges', 'current_size_in_bytes'],
  merges_total: ['merges', 'total'],
  merges_time_ms: ['merges', 'total_time_in_millis'],
  merges_docs: ['merges', 'total_docs'],
  merges_bytes: ['merges', 'total_size_in_bytes'],
  merges_stopped_time_ms: ['merges', 'total_stopped_time_in_millis'],
  merges_throttled_time_ms: ['merges', 'total_throttled_time_in_millis'],
  refreshes_total: ['refresh', 'total'],
  refreshes_time_ms: ['refresh', 'total_time_in_millis'],
  flushes_total: ['flush', 'total'],
  flushes_time_ms: ['flush', 'total_time_in_millis'],
  segments_count: ['segments', 'count'],
  segments_memory_bytes: ['segments', 'memory_in_bytes'],
  segments_terms_memory_bytes: ['segments', 'terms_memory_in_bytes'],
  segments_stored_fields_memory_bytes: ['segments', 'stored_fields_memory_in_bytes'],
  segments_term_vectors_memory_bytes: ['segments', 'term_vectors_memory_in_bytes'],
  segments_norms_memory_bytes: ['segments', 'norms_memory_in_bytes'],
  segments_points_memory_bytes: ['segments', 'points_memory_in_bytes'],
  segments_doc_values_memory_bytes: ['segments', 'doc_values_memory_in_bytes'],
  segments_index_writer_bytes: ['segments', 'index_writer_memory_in_bytes'],
  segments_version_map_bytes: ['segments', 'version_map_memory_in_bytes'],
  segments_fixed_bit_set_bytes: ['segments', 'fixed_bit_set_memory_in_bytes'],
  translog_operations: ['translog', 'operations'],
  translog_bytes: ['translog', 'size_in_bytes'],
  translog_uncommitted_operations: ['translog', 'uncommitted_operations'],
  translog_uncommitted_bytes: ['translog', 'uncommitted_size_in_bytes'],
  query_cache_bytes: ['query_cache', 'memory_size_in_bytes'],
  query_cache_hits: ['query_cache', 'hit_count'],
  query_cache_misses: ['query_cache', 'miss_count'],
  query_cache_evictions: ['query_cache', 'evictions'],
  request_cache_bytes: ['request_cache', 'memory_size_in_bytes'],
  request_cache_hits: ['request_cache', 'hit_count'],
  request_cache_misses: ['request_cache', 'miss_count'],
  request_cache_evictions: ['request_cache', 'evictions'],
  fielddata_bytes: ['fielddata', 'memory_size_in_bytes'],
  fielddata_evictions: ['fielddata', 'evictions'],
  completion_bytes: ['completion', 'size_in_bytes'],
  bulks_total: ['bulk', 'total_operations'],
  bulks_time_ms: ['bulk', 'total_time_in_millis'],
  bulks_bytes: ['bulk', 'total_size_in_bytes'],
  recovery_throttle_time_ms: ['recovery', 'throttle_time_in_millis'],
} as const satisfies Readonly<Record<OperationField, readonly [string, string]>>;

/**
 * Lucene 9 keeps these off the heap: from Elasticsearch 8 on, the fields exist but are always 0 (seen with
 * 1,173 segments on 8.17).
 */
export const alwaysZeroFromMajor8: readonly OperationField[] = [
  'segments_memory_bytes',
  'segments_terms_memory_bytes',
  'segments_stored_fields_memory_bytes',
  'segments_term_vectors_memory_bytes',
  'segments_norms_memory_bytes',
  'segments_points_memory_bytes',
  'segments_doc_values_memory_bytes',
];

export const alwaysZeroReason =
  'from Elasticsearch 8 on this field is always 0: Lucene keeps it off the heap';

const entries = Object.entries(paths) as [OperationField, readonly [string, string]][];

/** `major` is the highest version among the summed values; if it is unknown, a zero can be false. */
export function parseOperations(stats: unknown, major: number | null): Operations {
  const figures = Object.fromEntries(
    entries.map(([field, [group, key]]) => [field, amountAt(stats, group, key)]),
  ) as Record<OperationField, number | null>;
  for (const field of alwaysZeroFromMajor8) figures[field] = unlessFalseZero(figures[field], major);
  return { ...figures, indexing_is_throttled: flagAt(stats, 'indexing', 'is_throttled') };
}

const common =
  'docs,store,indexing,get,search,merge,refresh,flush,query_cache,fielddata,completion,segments,translog,request_cache,recovery';

/** Null for a zero that means nothing. */
export function unlessFalseZero(value: number | null, major: number | null): number | null {
  return (major ?? 0) >= 8 || (major === null && value === 0) ? null : value;
}

/** Metrics that not every version knows, with the first version that certainly does: the last 7.x refuses `bulk`. */
const later = { bulk: [8, 0], shard_stats: [7, 17] } as const;

/** The metric names that all of these versions know: an unknown one would fail the whole call. */
export function operationMetrics(versions: readonly string[]): string {
  const known = Object.entries(later).filter(
    ([, since]) => versions.length > 0 && versions.every((version) => isFrom(version, since)),
  );
  return [common, ...known.map(([metric]) => metric)].join(',');
}
