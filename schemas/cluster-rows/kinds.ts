/** What a column of the cluster tables contains; a column that is not listed here contains a number. */
export type ColumnKind = 'number' | 'text' | 'flag' | 'timestamp' | 'texts' | 'map' | 'json';

const kinds: Readonly<Record<Exclude<ColumnKind, 'number'>, readonly string[]>> = {
  text: [
    ...['node_id', 'name', 'host', 'incarnation', 'version', 'ip', 'transport_address', 'http_address'],
    ...['os_name', 'jvm_version', 'gap', 'index', 'uuid', 'index_uuid', 'health', 'state', 'node', 'status'],
    ...['relocating_to_node_id', 'relocating_to_node', 'unassigned_reason', 'unassigned_details'],
    ...['can_allocate', 'explanation', 'recommendation_code', 'recommendation', 'kind'],
    ...['task_id', 'parent_task_id', 'action', 'to_index', 'priority', 'source', 'type', 'stage'],
    ...['source_node_id', 'source_node', 'source_repository', 'source_snapshot', 'target_node_id'],
    ...['target_node', 'master_node_id', 'master_node', 'details'],
    ...['collector', 'pool', 'path', 'mount', 'breaker', 'growth_gap'],
  ],
  flag: [
    ...['is_master', 'is_data', 'is_master_eligible', 'restarted', 'indexing_is_throttled', 'slow_search'],
    ...['slow_indexing', 'primary', 'cancellable', 'cancelled', 'executing', 'no_master'],
  ],
  timestamp: ['jvm_started_at', 'measured_at', 'started_at', 'unassigned_at', 'explained_at', 'topology_at'],
  texts: ['roles', 'tiers', 'versions', 'from_indices'],
  map: ['attributes', 'nodes_by_role'],
  /** A list, as JSON text. */
  json: ['deciders'],
};

const byColumn = new Map(
  Object.entries(kinds).flatMap(([kind, columns]) =>
    columns.map((column) => [column, kind as ColumnKind] as const),
  ),
);

/** `group.field` has the kind of its field. */
export function kindOf(column: string): ColumnKind {
  return byColumn.get(column.slice(column.indexOf('.') + 1)) ?? 'number';
}
