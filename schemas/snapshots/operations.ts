import { z } from 'zod';
import { amount, flag } from './fields.js';

/**
 * Elasticsearch's counters and gauges, which are the same for a node, an index, and the primaries of an
 * index. A `counter` only rises within one incarnation (node and JVM start; or index, shard placement and the
 * JVMs of its nodes): counters of different incarnations can't be compared. A `gauge` is a value at its
 * timestamp. Sizes are in bytes, times in milliseconds.
 */
const operationFields = {
  docs_count: 'gauge',
  docs_deleted: 'gauge',
  store_bytes: 'gauge',
  indexing_total: 'counter',
  indexing_time_ms: 'counter',
  indexing_current: 'gauge',
  indexing_failed: 'counter',
  indexing_version_conflicts: 'counter',
  indexing_throttle_time_ms: 'counter',
  deletes_total: 'counter',
  deletes_time_ms: 'counter',
  gets_total: 'counter',
  gets_time_ms: 'counter',
  gets_missing_total: 'counter',
  gets_current: 'gauge',
  search_open_contexts: 'gauge',
  queries_total: 'counter',
  queries_time_ms: 'counter',
  queries_current: 'gauge',
  queries_failed: 'counter',
  fetches_total: 'counter',
  fetches_time_ms: 'counter',
  fetches_current: 'gauge',
  fetches_failed: 'counter',
  scrolls_total: 'counter',
  scrolls_time_ms: 'counter',
  scrolls_current: 'gauge',
  suggests_total: 'counter',
  suggests_time_ms: 'counter',
  suggests_current: 'gauge',
  merges_current: 'gauge',
  merges_current_bytes: 'gauge',
  merges_total: 'counter',
  merges_time_ms: 'counter',
  merges_docs: 'counter',
  merges_bytes: 'counter',
  merges_stopped_time_ms: 'counter',
  merges_throttled_time_ms: 'counter',
  refreshes_total: 'counter',
  refreshes_time_ms: 'counter',
  flushes_total: 'counter',
  flushes_time_ms: 'counter',
  segments_count: 'gauge',
  segments_memory_bytes: 'gauge',
  segments_terms_memory_bytes: 'gauge',
  segments_stored_fields_memory_bytes: 'gauge',
  segments_term_vectors_memory_bytes: 'gauge',
  segments_norms_memory_bytes: 'gauge',
  segments_points_memory_bytes: 'gauge',
  segments_doc_values_memory_bytes: 'gauge',
  segments_index_writer_bytes: 'gauge',
  segments_version_map_bytes: 'gauge',
  segments_fixed_bit_set_bytes: 'gauge',
  translog_operations: 'gauge',
  translog_bytes: 'gauge',
  translog_uncommitted_operations: 'gauge',
  translog_uncommitted_bytes: 'gauge',
  query_cache_bytes: 'gauge',
  query_cache_hits: 'counter',
  query_cache_misses: 'counter',
  query_cache_evictions: 'counter',
  request_cache_bytes: 'gauge',
  request_cache_hits: 'counter',
  request_cache_misses: 'counter',
  request_cache_evictions: 'counter',
  fielddata_bytes: 'gauge',
  fielddata_evictions: 'counter',
  completion_bytes: 'gauge',
  bulks_total: 'counter',
  bulks_time_ms: 'counter',
  bulks_bytes: 'counter',
  recovery_throttle_time_ms: 'counter',
} as const satisfies Readonly<Record<string, 'counter' | 'gauge'>>;

export type OperationField = keyof typeof operationFields;

export const operationFieldNames = Object.keys(operationFields) as readonly OperationField[];

const shape = Object.fromEntries(operationFieldNames.map((field) => [field, amount])) as Record<
  OperationField,
  typeof amount
>;

/** Every operation field, and whether indexing is throttled now. */
export const operations = z.object({ ...shape, indexing_is_throttled: flag });

export type Operations = z.output<typeof operations>;
