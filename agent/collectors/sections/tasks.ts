import type { Unavailable } from '../../../schemas/snapshots.js';
import { nodeTimeout } from '../../integration/client/waits.js';
import { absencesOf } from '../parse/absences.js';
import { listAt } from '../parse/answer.js';
import { countSplitTasks, parseTasks, taskCounts } from '../parse/work.js';
import type { Section } from '../section.js';

const wanted = [
  'node_failures.type',
  'task_failures.task_id',
  ...[
    'node',
    'action',
    'description',
    'start_time_in_millis',
    'running_time_in_nanos',
    'cancellable',
    'cancelled',
    'parent_task_id',
    'status',
  ].map((field) => `nodes.*.tasks.*.${field}`),
].join(',');

/** A snapshot task has no document counts, and a top-level task has no parent. */
const natural = ['parent_task_id', 'to_index', ...taskCounts].map((field) => `tasks.*.${field}`);

function countsOfSplitTasks(answer: unknown): readonly Unavailable[] {
  const { tasks, split } = countSplitTasks(answer);
  if (split === 0) return [];
  const reason = `a sliced task counts only the slices that have ended: each slice is a task of its own (${split} of ${tasks})`;
  return taskCounts.map((field) => ({ field: `tasks.*.${field}`, code: 'undefined', reason }));
}

/** Reindex, update-by-query, delete-by-query and snapshot tasks. */
export const tasksCollector: Section<'tasks'> = {
  name: 'tasks',
  intervalSeconds: ({ taskIntervalSeconds }) => taskIntervalSeconds,
  enabled: ({ enabled, tasks }) => enabled && tasks,
  privilege: 'cluster: monitor',
  split: { list: 'tasks', most: () => 500 },
  async collect({ read, settings, cluster }) {
    const answer = await read(
      `/_tasks?actions=*reindex,*byquery,*snapshot*&detailed=true&${nodeTimeout(settings)}&filter_path=${wanted}`,
    );
    const body = parseTasks(answer);
    return {
      body,
      partial: (body.nodes_failed ?? 0) > 0 || listAt(answer, 'task_failures').length > 0,
      unavailable: [...absencesOf(body, natural, {}, cluster.version), ...countsOfSplitTasks(answer)],
    };
  },
};
