import { deduct, fine, notMeasured, type Rule } from './rule.js';
import { count } from './wording.js';

const longMs = 30_000;
const veryLongMs = 300_000;

/** Changes of the cluster's state that wait for the master: mappings, new indices, shards that started. */
export const pendingTasks: Rule = {
  name: 'pending-tasks',
  category: 'other',
  judge({ pending }) {
    if (!pending.known) return notMeasured('pending tasks', pending.reason);
    const { tasks, longestWaitMs } = pending.value;
    if (tasks === 0 || longestWaitMs < longMs) return fine;
    return deduct({
      code: 'pending_tasks',
      points: longestWaitMs >= veryLongMs ? 10 : 5,
      reason: `${count(tasks, 'task waits', 'tasks wait')} for the master, the oldest for ${Math.round(longestWaitMs / 1_000)} s.`,
    });
  },
};
