import assert from 'node:assert/strict';
import { tasksCollector } from '../../../../../agent/collectors/sections/tasks.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const status = (counts: object) => ({
  ...{ total: 0, updated: 0, created: 0, deleted: 0, batches: 0, version_conflicts: 0 },
  ...{ throttled_millis: 0, requests_per_second: 0 },
  ...counts,
});

const copying = (more: object) => ({
  node: 'n',
  action: 'indices:data/write/reindex',
  description: 'reindex from [read] to [copied]',
  start_time_in_millis: 1_795_328_573_727,
  running_time_in_nanos: 9_498_954_974,
  cancellable: true,
  cancelled: false,
  ...more,
});

describe('a task that is split into slices', () => {
  const slice = copying({ parent_task_id: 'n:1', status: status({ slice_id: 1, total: 3, created: 2 }) });
  const collectedOf = async (slices: readonly unknown[], sums: object = {}) => {
    const whole = copying({ status: status({ slices, ...sums }) });
    const answer = answered(200, { nodes: { n: { tasks: { 'n:1': whole, 'n:2': slice } } } });
    const outcome = await collectFrom(tasksCollector, () => answer);
    assert.ok(outcome.ok && outcome.collected !== null);
    const { tasks } = outcome.collected.body as { tasks: readonly Record<string, unknown>[] };
    const listed = outcome.collected.unavailable.filter(({ field }) => field === 'tasks.*.total');
    return { whole: tasks.find(({ task_id: id }) => id === 'n:1'), listed };
  };

  it('has no counts while a slice runs: those that it says are of the slices that have ended', async () => {
    const { whole, listed } = await collectedOf([null, { slice_id: 0, total: 3 }], { total: 3, created: 3 });
    const counts = ['total', 'created', 'updated', 'deleted', 'batches', 'version_conflicts', 'throttled_ms'];
    for (const count of [...counts, 'requests_per_second']) assert.equal(whole?.[count], null, count);
    assert.deepEqual(
      listed.map(({ code, reason }) => [code, reason]),
      [
        [
          'undefined',
          'a task in slices counts only those that have ended: each slice is a task of its own (1 of 2)',
        ],
      ],
    );
  });

  it('has the sums once all have ended', async () => {
    const { whole, listed } = await collectedOf([{ total: 3 }, { total: 4 }], { total: 7, created: 7 });
    assert.deepEqual([whole?.['total'], whole?.['created']], [7, 7]);
    assert.deepEqual(listed, []);
  });
});

describe('the long-running tasks', () => {
  it('are not all of them where a node or a task could not be asked', async () => {
    const partial = async (failures: object): Promise<boolean | undefined> => {
      const outcome = await collectFrom(tasksCollector, () => answered(200, failures));
      assert.ok(outcome.ok);
      return outcome.collected?.partial;
    };
    assert.equal(await partial({}), false);
    assert.equal(await partial({ node_failures: [{ type: 'failed_node_exception' }] }), true);
    assert.equal(await partial({ task_failures: [{ task_id: 1 }] }), true);
  });
});
