import { recoveryColumns } from '../../../schemas/cluster-rows/recovery-columns.js';
import { taskColumns } from '../../../schemas/cluster-rows/task-columns.js';
import type { PendingTasksSection } from '../../../schemas/snapshots/cluster-section.js';
import type { RecoverySnapshot, TaskSnapshot } from '../../../schemas/snapshots/work-section.js';
import type { RecoveryMemory } from '../memory/cluster-memory.js';
import { delta, quotient } from './counters.js';
import { intervalOf } from './interval.js';
import { fieldsOf, quotientOf, rowOf, type Row } from './row.js';

export function taskRow(task: TaskSnapshot): Row {
  const done = [task.created, task.updated, task.deleted].filter((amount) => amount !== null);
  const progress =
    done.length === 0
      ? null
      : quotientOf(
          done.reduce((total, amount) => total + amount, 0),
          task.total,
        );
  return rowOf(fieldsOf(task as Readonly<Record<string, unknown>>, taskColumns), {
    progress_ratio: progress === null ? null : Math.min(1, progress),
  });
}

export function pendingTaskRow(task: PendingTasksSection['tasks'][number]): Row {
  return rowOf(fieldsOf(task as Readonly<Record<string, unknown>>, taskColumns), {
    kind: 'pending',
  });
}

/** The same recovery in two snapshots: a second try of the same shard starts at another time. */
export function recoveryKey({ index, shard, target_node_id, started_at }: RecoverySnapshot): string {
  return [index, shard, target_node_id ?? '', started_at ?? ''].join('/');
}

export function recoveryRow(
  before: RecoveryMemory | undefined,
  recovery: RecoverySnapshot,
  takenAt: number,
): Row {
  const interval = before === undefined ? undefined : intervalOf(before.at, takenAt);
  const speed =
    before === undefined || interval === undefined || !('seconds' in interval)
      ? null
      : quotient(delta(before.bytes, recovery.bytes_recovered), interval.seconds);
  return rowOf(fieldsOf(recovery as Readonly<Record<string, unknown>>, recoveryColumns), {
    bytes_per_second: speed,
  });
}
