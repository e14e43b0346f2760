/** Columns that every row has: they identify its snapshot. */
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
