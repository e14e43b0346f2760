import type {
  ClusterStatsSection,
  DataStreamsSection,
  HealthSection,
  PendingTasksSection,
} from '../../../schemas/snapshots/cluster-section.js';
import {
  amountAt,
  amountOf,
  fieldsOf,
  flagAt,
  instantAt,
  listAt,
  majorOf,
  namesAt,
  percentAt,
  textAt,
  textOf,
  valueAt,
} from './answer.js';
import { notTold, type AffectedIndices } from './affected-indices.js';
import { hostMemoryAt } from './node-figures.js';
import { positive } from './node-lists.js';
import { failedNodes } from './nodes.js';
import { unlessFalseZero } from './operations.js';

export interface Master {
  readonly id: string | null;
  readonly name: string | null;
}

export function statusAt(from: unknown, ...path: readonly string[]): 'green' | 'yellow' | 'red' | null {
  const status = textAt(from, ...path)?.toLowerCase();
  return status === 'green' || status === 'yellow' || status === 'red' ? status : null;
}

/**
 * The elected master from `_cat/master`. If there is none and the call is still answered, each column is a
 * dash.
 */
export function parseMaster(answer: unknown): Master {
  const row = Array.isArray(answer) ? (answer as readonly unknown[])[0] : undefined;
  const id = textAt(row, 'id');
  return id === '-' ? { id: null, name: null } : { id, name: textAt(row, 'node') };
}

/**
 * From `_cluster/health`, with what its indices report. They also give the unassigned primaries, for versions
 * that don't report that number themselves (9.x does).
 */
export function parseHealth(
  answer: unknown,
  master: Master,
  { unassigned_primaries: unassignedPrimaries, ...affected }: AffectedIndices,
): HealthSection {
  return {
    ...affected,
    status: statusAt(answer, 'status'),
    no_master: false,
    timed_out: flagAt(answer, 'timed_out'),
    nodes: amountAt(answer, 'number_of_nodes'),
    data_nodes: amountAt(answer, 'number_of_data_nodes'),
    active_primaries: amountAt(answer, 'active_primary_shards'),
    active_shards: amountAt(answer, 'active_shards'),
    relocating_shards: amountAt(answer, 'relocating_shards'),
    initializing_shards: amountAt(answer, 'initializing_shards'),
    unassigned_shards: amountAt(answer, 'unassigned_shards'),
    delayed_unassigned_shards: amountAt(answer, 'delayed_unassigned_shards'),
    unassigned_primaries: amountAt(answer, 'unassigned_primary_shards') ?? unassignedPrimaries,
    active_shards_percent: percentAt(answer, 'active_shards_percent_as_number'),
    pending_tasks: amountAt(answer, 'number_of_pending_tasks'),
    pending_tasks_max_wait_ms: amountAt(answer, 'task_max_waiting_in_queue_millis'),
    in_flight_fetches: amountAt(answer, 'number_of_in_flight_fetch'),
    master_node_id: master.id,
    master_node: master.name,
  };
}

/** The health section while no master is elected. */
export const healthWithoutMaster: HealthSection = {
  ...parseHealth(undefined, { id: null, name: null }, notTold),
  no_master: true,
};

/** From `_cluster/stats`. */
export function parseClusterStats(answer: unknown): ClusterStatsSection {
  const indices = (...path: string[]): number | null => amountAt(answer, 'indices', ...path);
  const nodes = (...path: string[]): number | null => amountAt(answer, 'nodes', ...path);
  const memory = hostMemoryAt(valueAt(answer, 'nodes'));
  const versions = namesAt(answer, 'nodes', 'versions');
  const majors = versions.flatMap((version) => majorOf(version) ?? []);
  const major = majors.length === 0 ? null : Math.max(...majors);
  return {
    indices: indices('count'),
    shards: indices('shards', 'total'),
    primaries: indices('shards', 'primaries'),
    docs_count: indices('docs', 'count'),
    docs_deleted: indices('docs', 'deleted'),
    store_bytes: indices('store', 'size_in_bytes'),
    data_set_bytes: indices('store', 'total_data_set_size_in_bytes'),
    fielddata_bytes: indices('fielddata', 'memory_size_in_bytes'),
    query_cache_bytes: indices('query_cache', 'memory_size_in_bytes'),
    completion_bytes: indices('completion', 'size_in_bytes'),
    segments_count: indices('segments', 'count'),
    segments_memory_bytes: unlessFalseZero(indices('segments', 'memory_in_bytes'), major),
    nodes: nodes('count', 'total'),
    nodes_failed: failedNodes([answer]),
    nodes_by_role: Object.fromEntries(
      Object.entries(fieldsOf(valueAt(answer, 'nodes', 'count'))).flatMap(([role, value]) => {
        const count = amountOf(value);
        return role === 'total' || role.length > 64 || count === null ? [] : [[role, count]];
      }),
    ),
    versions,
    processors: nodes('os', 'available_processors'),
    memory_total_bytes: memory.total,
    memory_used_bytes: memory.used,
    heap_used_bytes: nodes('jvm', 'mem', 'heap_used_in_bytes'),
    heap_max_bytes: nodes('jvm', 'mem', 'heap_max_in_bytes'),
    threads: nodes('jvm', 'threads'),
    max_uptime_ms: nodes('jvm', 'max_uptime_in_millis'),
    fs_total_bytes: nodes('fs', 'total_in_bytes'),
    fs_free_bytes: nodes('fs', 'free_in_bytes'),
    fs_available_bytes: nodes('fs', 'available_in_bytes'),
  };
}

const mostPendingTasks = 200;

/** From `_cluster/pending_tasks`; the counts are null if the answer has no list of tasks. */
export function parsePendingTasks(answer: unknown): PendingTasksSection {
  const known = Array.isArray(valueAt(answer, 'tasks'));
  const tasks = listAt(answer, 'tasks')
    .map((task) => ({
      insert_order: amountAt(task, 'insert_order'),
      priority: textOf(valueAt(task, 'priority'), 32),
      source: textOf(valueAt(task, 'source'), 300),
      executing: flagAt(task, 'executing'),
      queued_ms: amountAt(task, 'time_in_queue_millis'),
    }))
    .sort((one, other) => (other.queued_ms ?? 0) - (one.queued_ms ?? 0));
  return {
    tasks_total: known ? tasks.length : null,
    max_wait_ms: known ? (tasks.length === 0 ? 0 : (tasks[0]?.queued_ms ?? null)) : null,
    tasks_cut: known ? Math.max(0, tasks.length - mostPendingTasks) : null,
    tasks: tasks.slice(0, mostPendingTasks),
  };
}

const mostDataStreams = 5_000;

/** From `_data_stream/_stats`. */
export function parseDataStreams(answer: unknown): DataStreamsSection {
  const streams = listAt(answer, 'data_streams').flatMap((stream) => {
    const name = textAt(stream, 'data_stream');
    return name === null
      ? []
      : [
          {
            data_stream: name,
            backing_indices: amountAt(stream, 'backing_indices'),
            store_bytes: amountAt(stream, 'store_size_bytes'),
            // Elasticsearch writes 0 for a stream without documents.
            newest_document_at: positive(instantAt(stream, 'maximum_timestamp')),
          },
        ];
  });
  return {
    data_streams_total: amountAt(answer, 'data_stream_count'),
    backing_indices: amountAt(answer, 'backing_indices'),
    store_bytes: amountAt(answer, 'total_store_size_bytes'),
    data_streams_cut: Math.max(0, streams.length - mostDataStreams),
    data_streams: streams
      .sort((one, other) => (other.store_bytes ?? 0) - (one.store_bytes ?? 0))
      .slice(0, mostDataStreams),
  };
}
