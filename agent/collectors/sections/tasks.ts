import { absencesOf } from '../parse/absences.js';
import { parseTasks } from '../parse/work.js';
import type { Section } from '../section.js';

const wanted = [
  'node_failures.type',
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

/** A snapshot has no status of documents, a task of its own no parent, and 7.x does not say whether one is cancelled. */
const natural = [
  'parent_task_id',
  'to_index',
  'total',
  'created',
  'updated',
  'deleted',
  'batches',
  'version_conflicts',
  'throttled_ms',
  'requests_per_second',
].map((field) => `tasks.*.${field}`);

/** Reindex, update-by-query, delete-by-query and snapshot tasks. */
export const tasksCollector: Section<'tasks'> = {
  name: 'tasks',
  intervalSeconds: ({ taskIntervalSeconds }) => taskIntervalSeconds,
  enabled: ({ enabled, tasks }) => enabled && tasks,
  privilege: 'cluster: monitor',
  split: { list: 'tasks', most: () => 500 },
  async collect({ read, cluster }) {
    const body = parseTasks(
      await read(`/_tasks?actions=*reindex,*byquery,*snapshot*&detailed=true&filter_path=${wanted}`),
    );
    return {
      body,
      partial: (body.nodes_failed ?? 0) > 0,
      unavailable: absencesOf(body, natural, {}, cluster.version),
    };
  },
};
