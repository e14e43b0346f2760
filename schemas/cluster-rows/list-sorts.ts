/** By what lists of a cluster can be sorted; the first is their own order. */
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
