/** The sort keys of a cluster's lists; the first is the default. */
export const nodeSorts = ['name', 'heap', 'disk', 'cpu', 'queries', 'query_latency'] as const;
export const indexSorts = [
  'size',
  'name',
  'docs',
  'queries',
  'query_latency',
  'indexed',
  'indexing_latency',
] as const;
