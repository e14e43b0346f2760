/** The traffic of a cluster as a whole: sums over its nodes. */
export const trafficFigures = [
  'queries_per_second',
  'fetches_per_second',
  'gets_per_second',
  'indexed_per_second',
  'deletes_per_second',
  'queries_current',
  'search_open_contexts',
] as const;
