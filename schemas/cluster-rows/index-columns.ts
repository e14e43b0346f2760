import { operationColumns } from './operation-figures.js';

/** Figures of the primaries only. */
export const primaryFigures = [
  'docs_count',
  'docs_deleted',
  'store_bytes',
  'segments_count',
  'indexed_per_second',
  'indexing_latency_ms',
  'deletes_per_second',
  'merges_per_second',
  'merge_bytes_per_second',
  'refreshes_per_second',
  'refresh_latency_ms',
  'flushes_per_second',
  'flush_latency_ms',
] as const;

/** Fields of a listed index; its `docs_count` and sizes come from the listing, not from the operations. */
export const indexFields = [
  'index',
  'uuid',
  'health',
  'state',
  'primaries',
  'replicas',
  'docs_count',
  'docs_deleted',
  'store_bytes',
  'primary_store_bytes',
  'incarnation',
] as const;

export const indexFigures = [
  'interval_seconds_measured',
  'gap',
  'deleted_ratio',
  'docs_growth_per_second',
  'store_growth_bytes_per_second',
  'primary_store_growth_bytes_per_second',
  'growth_gap',
  'slow_search',
  'slow_search_threshold_ms',
  'slow_indexing',
  'slow_indexing_threshold_ms',
] as const;

export const indexColumns: readonly string[] = [
  ...indexFields,
  ...indexFigures,
  ...operationColumns.filter((field) => !(indexFields as readonly string[]).includes(field)),
  ...primaryFigures.map((field) => `primary_${field}`).filter((field) => field !== 'primary_store_bytes'),
];
