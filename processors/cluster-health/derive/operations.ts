import type { OperationFigure, OperationFigures } from '../../../schemas/cluster-rows/operation-figures.js';
import { operationFigures } from '../../../schemas/cluster-rows/operation-figures.js';
import type { OperationField, Operations } from '../../../schemas/snapshots/operations.js';
import { delta, quotient, ratio } from './counters.js';

/** Only counters, as far as they are remembered from one snapshot to the next. */
export type Counters = Readonly<Partial<Record<OperationField, number | null>>>;

const nothing = Object.fromEntries(operationFigures.map((figure) => [figure, null])) as OperationFigures;

/** Rates, latencies and ratios between two readings of one incarnation, `seconds` apart. */
export function deriveOperations(
  before: Counters | null | undefined,
  now: Operations | null,
  seconds: number | null,
): OperationFigures {
  if (before === null || before === undefined || now === null || seconds === null) return nothing;
  const grown = (field: OperationField): number | null => delta(before[field], now[field]);
  const rate = (field: OperationField): number | null => quotient(grown(field), seconds);
  const mean = (time: OperationField, count: OperationField): number | null =>
    quotient(grown(time), grown(count));
  const share = (time: OperationField): number | null => quotient(grown(time), seconds * 1_000);
  return {
    queries_per_second: rate('queries_total'),
    query_latency_ms: mean('queries_time_ms', 'queries_total'),
    queries_failed_per_second: rate('queries_failed'),
    fetches_per_second: rate('fetches_total'),
    fetch_latency_ms: mean('fetches_time_ms', 'fetches_total'),
    scrolls_per_second: rate('scrolls_total'),
    scroll_latency_ms: mean('scrolls_time_ms', 'scrolls_total'),
    suggests_per_second: rate('suggests_total'),
    suggest_latency_ms: mean('suggests_time_ms', 'suggests_total'),
    gets_per_second: rate('gets_total'),
    get_latency_ms: mean('gets_time_ms', 'gets_total'),
    get_miss_ratio: quotient(grown('gets_missing_total'), grown('gets_total')),
    indexed_per_second: rate('indexing_total'),
    indexing_latency_ms: mean('indexing_time_ms', 'indexing_total'),
    indexing_failures_per_second: quotient(failures(grown), seconds),
    indexing_throttle_share: share('indexing_throttle_time_ms'),
    deletes_per_second: rate('deletes_total'),
    delete_latency_ms: mean('deletes_time_ms', 'deletes_total'),
    bulks_per_second: rate('bulks_total'),
    bulk_latency_ms: mean('bulks_time_ms', 'bulks_total'),
    bulk_bytes_per_second: rate('bulks_bytes'),
    merges_per_second: rate('merges_total'),
    merge_latency_ms: mean('merges_time_ms', 'merges_total'),
    merge_bytes_per_second: rate('merges_bytes'),
    merge_share: share('merges_time_ms'),
    merge_throttle_share: share('merges_throttled_time_ms'),
    merge_stopped_share: share('merges_stopped_time_ms'),
    refreshes_per_second: rate('refreshes_total'),
    refresh_latency_ms: mean('refreshes_time_ms', 'refreshes_total'),
    flushes_per_second: rate('flushes_total'),
    flush_latency_ms: mean('flushes_time_ms', 'flushes_total'),
    query_cache_hit_ratio: ratio(grown('query_cache_hits'), grown('query_cache_misses')),
    query_cache_evictions_per_second: rate('query_cache_evictions'),
    request_cache_hit_ratio: ratio(grown('request_cache_hits'), grown('request_cache_misses')),
    request_cache_evictions_per_second: rate('request_cache_evictions'),
    fielddata_evictions_per_second: rate('fielddata_evictions'),
    recovery_throttle_share: share('recovery_throttle_time_ms'),
  } satisfies Record<OperationFigure, number | null>;
}

/**
 * Version conflicts count as failures in `index_failed`. If they are counted separately, they are subtracted:
 * they are not failures of the cluster.
 */
function failures(grown: (field: OperationField) => number | null): number | null {
  const failed = grown('indexing_failed');
  const conflicts = grown('indexing_version_conflicts');
  return failed === null || conflicts === null ? failed : Math.max(0, failed - conflicts);
}

/**
 * Failures of the cluster itself. Null if version conflicts are not counted separately, as in 7.x: then the
 * failures include them, and they only mean that two writers collided.
 */
export function ownFailures(grown: (field: OperationField) => number | null): number | null {
  const failed = grown('indexing_failed');
  return failed === 0 || grown('indexing_version_conflicts') !== null ? failures(grown) : null;
}

/** The part of a snapshot that the next one is compared with. */
export function countersOf(operations: Operations | null): Counters | null {
  if (operations === null) return null;
  return Object.fromEntries(
    comparedFields.flatMap((field) => {
      const value = operations[field];
      return value === null ? [] : [[field, value]];
    }),
  );
}

/**
 * The counters that continue when a shard leaves a node: all but those of its caches, which are sums over the
 * present shards (`OldShardsStats` of Elasticsearch's IndicesService).
 */
export function keptOfNode(counters: Counters | null): Counters {
  return Object.fromEntries(Object.entries(counters ?? {}).filter(([field]) => !isOfCaches(field)));
}

const isOfCaches = (field: string): boolean => /^(?:query_cache|request_cache|fielddata)_/.test(field);

const comparedFields = [
  'indexing_total',
  'indexing_time_ms',
  'indexing_failed',
  'indexing_version_conflicts',
  'indexing_throttle_time_ms',
  'deletes_total',
  'deletes_time_ms',
  'gets_total',
  'gets_time_ms',
  'gets_missing_total',
  'queries_total',
  'queries_time_ms',
  'queries_failed',
  'fetches_total',
  'fetches_time_ms',
  'scrolls_total',
  'scrolls_time_ms',
  'suggests_total',
  'suggests_time_ms',
  'merges_total',
  'merges_time_ms',
  'merges_bytes',
  'merges_stopped_time_ms',
  'merges_throttled_time_ms',
  'refreshes_total',
  'refreshes_time_ms',
  'flushes_total',
  'flushes_time_ms',
  'query_cache_hits',
  'query_cache_misses',
  'query_cache_evictions',
  'request_cache_hits',
  'request_cache_misses',
  'request_cache_evictions',
  'fielddata_evictions',
  'bulks_total',
  'bulks_time_ms',
  'bulks_bytes',
  'recovery_throttle_time_ms',
] as const satisfies readonly OperationField[];
