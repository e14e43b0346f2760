import { taskColumns } from '../../../schemas/cluster-rows/task-columns.js';
import { at, type ClusterAnswers } from '../cluster-answers.js';
import type { Absence, Bound, ColumnRules, Counterpart } from '../same-columns.js';
import { below, each } from './counterparts.js';

type Said = (answers: ClusterAnswers) => unknown;

const named = (description: unknown, part: RegExp): readonly string[] =>
  part.exec(String(description))?.[1]?.split(', ') ?? [];

const pathsOfPending = {
  insert_order: 'insert_order',
  priority: 'priority',
  source: 'source',
  executing: 'executing',
  queued_ms: 'time_in_queue_millis',
} as const;
const ofPending = Object.keys(pathsOfPending);

/** For one task that waits for the master. */
export function pendingTaskRules(insertOrder: number): ColumnRules {
  const task: Said = ({ pending }) => pending?.find((each) => at(each, 'insert_order') === insertOrder);
  const others = taskColumns.filter((column) => column !== 'kind' && !ofPending.includes(column));
  return {
    same: { kind: () => 'pending', ...below(task, pathsOfPending), ...each(others, () => null) },
    without: {},
    optional: each(others, 'of tasks that copy, change or delete documents'),
  };
}

const counts = {
  total: 'status.total',
  created: 'status.created',
  updated: 'status.updated',
  deleted: 'status.deleted',
  batches: 'status.batches',
  version_conflicts: 'status.version_conflicts',
  throttled_ms: 'status.throttled_millis',
  requests_per_second: 'status.requests_per_second',
} as const;

const absentCounts: Readonly<Record<string, Absence>> = Object.fromEntries(
  Object.keys(counts).map((column) => [
    column,
    { field: `tasks.*.${column}`, reason: /^a sliced task counts only the slices that have ended/ },
  ]),
);

/** `progress_ratio` is the completed share of the total. */
const progress: Bound = (row) => {
  const done = ['created', 'updated', 'deleted'].reduce((sum, column) => sum + Number(row[column]), 0);
  return row['progress_ratio'] === done / Number(row['total']);
};

/**
 * For one task that copies, changes or deletes documents; `kind` is this project's name for it. A sliced task
 * sums only its completed slices, which is not a count of the whole task.
 */
export function taskRules(kind: string, taskId: string, isSplit: boolean): ColumnRules {
  const task: Said = ({ tasks }) => tasks.find(({ id }) => id === taskId);
  const names = (part: RegExp): Counterpart => {
    return (answers) => named(at(task(answers), 'description'), part);
  };
  return {
    same: {
      ...below(task, {
        task_id: 'id',
        node_id: 'node',
        parent_task_id: 'parent_task_id',
        action: 'action',
        started_at: 'start_time_in_millis',
        cancellable: 'cancellable',
        cancelled: 'cancelled',
      }),
      ...below(task, counts),
      kind: () => kind,
      running_ms: (answers) => Number(at(task(answers), 'running_time_in_nanos')) / 1e6,
      from_indices: names(/^(?:reindex from|\w+-by-query) \[([^\]]+)\]/),
      to_index: (answers) => named(at(task(answers), 'description'), / to \[([^\]]+)\]/)[0],
      ...each(ofPending, () => null),
    },
    within: { progress_ratio: isSplit ? (row) => row['progress_ratio'] === null : progress },
    without: {},
    absent: () => (isSplit ? absentCounts : {}),
    optional: {
      ...each(ofPending, 'of tasks that wait for the master'),
      parent_task_id: 'a task that nothing has split has none',
      to_index: 'said where documents are copied',
    },
  };
}

/** For the recovery of one shard. A peer recovery does not know the `total` of the translog in advance. */
export function recoveryRules(index: string): ColumnRules {
  const recovery: Said = ({ recoveries }) => at(recoveries, index, 'shards', '0');
  return {
    same: {
      index: () => index,
      ...below(recovery, {
        shard: 'id',
        primary: 'primary',
        type: 'type',
        stage: 'stage',
        source_node_id: 'source.id',
        source_node: 'source.name',
        source_repository: 'source.repository',
        source_snapshot: 'source.snapshot',
        target_node_id: 'target.id',
        target_node: 'target.name',
        started_at: 'start_time_in_millis',
        total_time_ms: 'total_time_in_millis',
        bytes_total: 'index.size.total_in_bytes',
        bytes_reused: 'index.size.reused_in_bytes',
        bytes_recovered: 'index.size.recovered_in_bytes',
        bytes_percent: 'index.size.percent',
        files_total: 'index.files.total',
        files_reused: 'index.files.reused',
        files_recovered: 'index.files.recovered',
        files_percent: 'index.files.percent',
        translog_total: 'translog.total',
        translog_recovered: 'translog.recovered',
        translog_percent: 'translog.percent',
        source_throttle_time_ms: 'index.source_throttle_time_in_millis',
        target_throttle_time_ms: 'index.target_throttle_time_in_millis',
      }),
    },
    without: { bytes_per_second: 'derived from two snapshots: same-rates.ts holds it to them' },
    optional: {
      source_repository: 'said where the data come from a snapshot',
      source_snapshot: 'said where the data come from a snapshot',
      translog_total: 'not known before the files are there: the cluster says -1',
      translog_percent: 'not known before the files are there: the cluster says -1',
    },
  };
}
