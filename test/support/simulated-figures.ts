/** Names and figures of a cluster that does not exist; the counters are arbitrary. */
export const nodeId = (number: number): string =>
  `node${String(number).padStart(4, '0')}aaaaaaaaaaaaaa`.slice(0, 22);
export const indexName = (number: number): string => `logs-service-${number % 40}-2026.11.${number}`;
export const uuid = (number: number): string => `uuid${String(number).padStart(8, '0')}aaaaaaaaaa`;

/** Every counter of an index or node, with arbitrary values. */
export function statistics(seed: number): object {
  const groups: Readonly<Record<string, readonly string[]>> = {
    docs: ['count', 'deleted'],
    store: ['size_in_bytes', 'total_data_set_size_in_bytes', 'reserved_in_bytes'],
    indexing: [
      'index_total',
      'index_time_in_millis',
      'index_current',
      'index_failed',
      'delete_total',
      'delete_time_in_millis',
      'delete_current',
      'noop_update_total',
      'throttle_time_in_millis',
    ],
    get: [
      'total',
      'time_in_millis',
      'exists_total',
      'exists_time_in_millis',
      'missing_total',
      'missing_time_in_millis',
      'current',
    ],
    search: [
      'open_contexts',
      'query_total',
      'query_time_in_millis',
      'query_current',
      'fetch_total',
      'fetch_time_in_millis',
      'fetch_current',
      'scroll_total',
      'scroll_time_in_millis',
      'scroll_current',
      'suggest_total',
      'suggest_time_in_millis',
      'suggest_current',
    ],
    merges: [
      'current',
      'current_docs',
      'current_size_in_bytes',
      'total',
      'total_time_in_millis',
      'total_docs',
      'total_size_in_bytes',
      'total_stopped_time_in_millis',
      'total_throttled_time_in_millis',
      'total_auto_throttle_in_bytes',
    ],
    refresh: [
      'total',
      'total_time_in_millis',
      'external_total',
      'external_total_time_in_millis',
      'listeners',
    ],
    flush: ['total', 'periodic', 'total_time_in_millis'],
    query_cache: [
      'memory_size_in_bytes',
      'total_count',
      'hit_count',
      'miss_count',
      'cache_size',
      'cache_count',
      'evictions',
    ],
    fielddata: ['memory_size_in_bytes', 'evictions'],
    segments: [
      'count',
      'memory_in_bytes',
      'terms_memory_in_bytes',
      'stored_fields_memory_in_bytes',
      'norms_memory_in_bytes',
      'points_memory_in_bytes',
      'doc_values_memory_in_bytes',
      'index_writer_memory_in_bytes',
      'version_map_memory_in_bytes',
      'fixed_bit_set_memory_in_bytes',
    ],
    translog: [
      'operations',
      'size_in_bytes',
      'uncommitted_operations',
      'uncommitted_size_in_bytes',
      'earliest_last_modified_age',
    ],
    request_cache: ['memory_size_in_bytes', 'evictions', 'hit_count', 'miss_count'],
    bulk: [
      'total_operations',
      'total_time_in_millis',
      'total_size_in_bytes',
      'avg_time_in_millis',
      'avg_size_in_bytes',
    ],
  };
  return Object.fromEntries(
    Object.entries(groups).map(([group, fields]) => [
      group,
      Object.fromEntries(fields.map((field, at) => [field, (seed * 7_919 + at * 104_729) % 1_000_000_007])),
    ]),
  );
}

export function node(number: number): object {
  const pools = [
    'analyze',
    'flush',
    'force_merge',
    'generic',
    'get',
    'management',
    'refresh',
    'search',
    'search_worker',
    'snapshot',
    'system_read',
    'system_write',
    'warmer',
    'write',
  ];
  return {
    timestamp: 1_795_244_912_923,
    name: `node-${number}`,
    host: '10.0.0.1',
    version: '8.14.1',
    roles: ['data', 'ingest', 'master'],
    indices: statistics(number),
    jvm: {
      timestamp: 1_795_244_912_000,
      uptime_in_millis: 912_000,
      start_time_in_millis: 1_795_244_000_000,
      mem: { heap_used_in_bytes: 1, heap_used_percent: 50, heap_max_in_bytes: 2 },
    },
    thread_pool: Object.fromEntries(
      pools.map((pool) => [
        pool,
        { threads: 4, queue: 0, active: 1, rejected: 0, largest: 4, completed: 99 },
      ]),
    ),
    breakers: { parent: { limit_size_in_bytes: 2, estimated_size_in_bytes: 1, overhead: 1, tripped: 0 } },
    fs: {
      total: { total_in_bytes: 9, free_in_bytes: 5, available_in_bytes: 4 },
      data: [{ path: '/data', total_in_bytes: 9, free_in_bytes: 5, available_in_bytes: 4 }],
    },
  };
}
