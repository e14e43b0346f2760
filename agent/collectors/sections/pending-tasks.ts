import { absencesOf } from '../parse/absences.js';
import { parsePendingTasks } from '../parse/cluster.js';
import { masterTimeout } from '../../integration/client/waits.js';
import type { Section } from '../section.js';

/** The tasks that wait for the elected master, every cycle. */
export const pendingTasksCollector: Section<'pending_tasks'> = {
  name: 'pending_tasks',
  intervalSeconds: () => 60,
  enabled: ({ pendingTasks }) => pendingTasks,
  privilege: 'cluster: monitor',
  async collect({ read, settings, cluster }) {
    // Requests the whole list: a filter on its elements' fields would remove an empty list.
    const path = `/_cluster/pending_tasks?${masterTimeout(settings)}&filter_path=tasks`;
    const body = parsePendingTasks(await read(path));
    return { body, partial: false, unavailable: absencesOf(body, [], {}, cluster.version) };
  },
};
