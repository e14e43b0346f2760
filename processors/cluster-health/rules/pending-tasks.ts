import { explained } from './advice.js';
import { deduct, fine, notMeasured, type Rule } from './rule.js';
import { count, duration } from './wording.js';

const longMs = 30_000;
const veryLongMs = 300_000;

/** Changes of the cluster's state that wait for the master: mappings, new indices, started shards. */
export const pendingTasks: Rule = {
  name: 'pending-tasks',
  category: 'other',
  evaluate({ pending, cluster }) {
    if (!pending.known) return notMeasured('pending tasks', pending.reason);
    const { tasks, longestWaitMs } = pending.value;
    if (tasks === 0 || longestWaitMs < longMs) return fine;
    const master = cluster.known ? cluster.value.master : null;
    return deduct({
      code: 'pending_tasks',
      points: longestWaitMs >= veryLongMs ? 10 : 5,
      reason: explained(
        'pending_tasks',
        `${count(tasks, 'task waits', 'tasks wait')} for the master${master === null ? '' : ` (${master})`}, ${tasks === 1 ? 'and has waited' : 'the oldest'} for ${duration(longestWaitMs)}.`,
      ),
    });
  },
};
