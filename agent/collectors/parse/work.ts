import { longestIndexName } from '../../../schemas/snapshots/index-section.js';
import type {
  RecoverySection,
  RecoverySnapshot,
  TaskSnapshot,
  TasksSection,
} from '../../../schemas/snapshots/work-section.js';
import {
  amountAt,
  cut,
  entriesAt,
  flagAt,
  instantAt,
  listAt,
  percentAt,
  shardNumberAt,
  textAt,
  textOf,
  valueAt,
} from './answer.js';

const mostRecoveries = 2_000;
const mostTasks = 1_000;

/** From `_recovery?active_only=true`, the largest first. */
export function parseRecoveries(answer: unknown): RecoverySection {
  const recoveries = entriesAt(answer)
    .flatMap(([index, { shards }]) =>
      listAt({ shards }, 'shards').flatMap((shard) => recoveryOf(index, shard)),
    )
    .sort((one, other) => (other.bytes_total ?? 0) - (one.bytes_total ?? 0));
  return {
    recoveries_total: recoveries.length,
    recoveries_cut: Math.max(0, recoveries.length - mostRecoveries),
    recoveries: recoveries.slice(0, mostRecoveries),
  };
}

function recoveryOf(index: string, recovery: unknown): RecoverySnapshot[] {
  const shard = shardNumberAt(recovery, 'id');
  if (shard === null) return [];
  return [
    {
      index,
      shard,
      primary: flagAt(recovery, 'primary'),
      type: textOf(valueAt(recovery, 'type'), 64),
      stage: textOf(valueAt(recovery, 'stage'), 64),
      source_node_id: textAt(recovery, 'source', 'id'),
      source_node: textAt(recovery, 'source', 'name'),
      source_repository: textAt(recovery, 'source', 'repository'),
      source_snapshot: textAt(recovery, 'source', 'snapshot'),
      target_node_id: textAt(recovery, 'target', 'id'),
      target_node: textAt(recovery, 'target', 'name'),
      started_at: instantAt(recovery, 'start_time_in_millis'),
      total_time_ms: amountAt(recovery, 'total_time_in_millis'),
      bytes_total: amountAt(recovery, 'index', 'size', 'total_in_bytes'),
      bytes_reused: amountAt(recovery, 'index', 'size', 'reused_in_bytes'),
      bytes_recovered: amountAt(recovery, 'index', 'size', 'recovered_in_bytes'),
      bytes_percent: percentAt(recovery, 'index', 'size', 'percent'),
      files_total: amountAt(recovery, 'index', 'files', 'total'),
      files_reused: amountAt(recovery, 'index', 'files', 'reused'),
      files_recovered: amountAt(recovery, 'index', 'files', 'recovered'),
      files_percent: percentAt(recovery, 'index', 'files', 'percent'),
      translog_total: amountAt(recovery, 'translog', 'total'),
      translog_recovered: amountAt(recovery, 'translog', 'recovered'),
      translog_percent: percentAt(recovery, 'translog', 'percent'),
      source_throttle_time_ms: amountAt(recovery, 'index', 'source_throttle_time_in_millis'),
      target_throttle_time_ms: amountAt(recovery, 'index', 'target_throttle_time_in_millis'),
    },
  ];
}

function kindOf(action: string): TaskSnapshot['kind'] | undefined {
  if (action.includes('/reindex')) return 'reindex';
  if (action.includes('/update/byquery')) return 'update_by_query';
  if (action.includes('/delete/byquery')) return 'delete_by_query';
  return action.includes('snapshot') ? 'snapshot' : undefined;
}

/** From `_tasks?detailed`, the longest running first. */
export function parseTasks(answer: unknown): TasksSection {
  const tasks = entriesAt(answer, 'nodes')
    .flatMap(([, node]) => entriesAt(node, 'tasks').flatMap(([id, task]) => taskOf(id, task)))
    .sort((one, other) => (other.running_ms ?? 0) - (one.running_ms ?? 0));
  return {
    tasks_total: tasks.length,
    tasks_cut: Math.max(0, tasks.length - mostTasks),
    nodes_failed: listAt(answer, 'node_failures').length,
    tasks: tasks.slice(0, mostTasks),
  };
}

function taskOf(id: string, task: unknown): TaskSnapshot[] {
  const action = textAt(task, 'action');
  const kind = kindOf(action ?? '');
  if (action === null || kind === undefined) return [];
  const nanos = amountAt(task, 'running_time_in_nanos');
  return [
    {
      task_id: id,
      parent_task_id: textAt(task, 'parent_task_id'),
      node_id: textAt(task, 'node'),
      action,
      kind,
      started_at: instantAt(task, 'start_time_in_millis'),
      running_ms: nanos === null ? null : nanos / 1e6,
      cancellable: flagAt(task, 'cancellable'),
      cancelled: flagAt(task, 'cancelled'),
      ...indicesOf(valueAt(task, 'description')),
      ...countsOf(task),
    },
  ];
}

/** The counts in the status of a task. */
const counts = {
  total: 'total',
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  batches: 'batches',
  version_conflicts: 'version_conflicts',
  throttled_ms: 'throttled_millis',
  requests_per_second: 'requests_per_second',
} as const;

export const taskCounts = Object.keys(counts) as readonly (keyof typeof counts)[];

function countsOf(task: unknown): Record<keyof typeof counts, number | null> {
  const split = isSplit(task);
  return Object.fromEntries(
    Object.entries(counts).map(([field, key]) => [field, split ? null : amountAt(task, 'status', key)]),
  ) as Record<keyof typeof counts, number | null>;
}

/**
 * Whether slices of the task still run. They are tasks of their own, and the status sums up only those that
 * have ended.
 */
function isSplit(task: unknown): boolean {
  return listAt(task, 'status', 'slices').includes(null);
}

/** How many tasks there are in an answer, and how many of them run in slices. */
export function countSplitTasks(answer: unknown): { readonly tasks: number; readonly split: number } {
  const tasks = entriesAt(answer, 'nodes')
    .flatMap(([, node]) => entriesAt(node, 'tasks'))
    .filter(([, task]) => kindOf(textAt(task, 'action') ?? '') !== undefined);
  return { tasks: tasks.length, split: tasks.filter(([, task]) => isSplit(task)).length };
}

const name = String.raw`[^\][{}"\s=:,]+`;
const from = new RegExp(
  String.raw`^(?:reindex from|(?:update|delete)-by-query) \[(${name}(?:, ?${name})*)\]`,
);
const to = new RegExp(String.raw`^ to \[(${name})\](?:\[${name}\])?$`);

/**
 * A description can contain a query, a script or a remote host, and so be long. Only index names in brackets
 * are read: the sources right after the words (those of a remote cluster follow its address) and the
 * destination at the end. 7.x adds types.
 */
function indicesOf(description: unknown): Pick<TaskSnapshot, 'from_indices' | 'to_index'> {
  const text = typeof description === 'string' ? description : '';
  const sources = from.exec(text)?.[1] ?? '';
  const end = text.startsWith('reindex from ') ? text.slice(text.lastIndexOf(' to [')) : '';
  return {
    from_indices: sources
      .split(/, ?/)
      .filter((source) => source !== '')
      .slice(0, 100)
      .map((source) => cut(source, longestIndexName)),
    to_index: textOf(to.exec(end)?.[1], longestIndexName),
  };
}
