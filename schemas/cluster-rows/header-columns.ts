/** Columns that every row has: which snapshot it is of. */
export const headerColumns = [
  'workspace',
  'cluster_uuid',
  'cluster_name',
  'cluster_version',
  'section',
  'slot',
  'interval_seconds',
  'taken_at',
  'snapshot_id',
  'reporter',
  'part',
  'parts',
  'partial',
] as const;
