import { minuteMs, seededCluster, wave } from './seed-cluster.js';

const slowQueries = [
  [
    'catalogue',
    '{"query":{"bool":{"must":[{"match":{"title":"[redacted]"}}],"filter":[{"range":{"price":{"gte":10}}}]}},"size":20}',
    900,
  ],
  [
    'orders-2026.11',
    '{"query":{"wildcard":{"customer.email":{"value":"*[redacted]"}}},"sort":[{"placed_at":"desc"}]}',
    2_400,
  ],
  [
    'reviews',
    '{"query":{"match_phrase":{"text":"[redacted]"}},"aggs":{"stars":{"terms":{"field":"stars"}}}}',
    640,
  ],
] as const;

/** Entries of slow logs over the same hours. */
export function slowEntries(firstMinute: number): readonly object[] {
  return Array.from({ length: 90 }, (_, entry) => {
    const [index, query, took] = slowQueries[entry % slowQueries.length] ?? slowQueries[0];
    return {
      ...{ id: entry.toString(16).padStart(32, '0'), cluster_uuid: seededCluster, cluster_name: 'bookshop' },
      ...{ at: (firstMinute + entry * 2) * minuteMs * 1_000, kind: 'search', phase: 'query', level: 'warn' },
      ...{
        index,
        shard: entry % 2,
        node_name: `search-${1 + (entry % 2)}`,
        query,
        query_length: query.length,
      },
      ...{
        took_ms: Math.round(took * wave(entry, 17, 0.7, 1.9)),
        total_hits: 37 * (entry + 1),
        total_shards: 2,
        opaque_id: 'hmac-1f0e2d3c4b5a6978',
        trace_id: (entry + 1).toString(16).padStart(32, 'a'),
        user: 'hmac-7c6b5a4f3e2d1c0b',
      },
    };
  });
}
