import assert from 'node:assert/strict';
import { tasksCollector } from '../../../../../agent/collectors/sections/tasks.js';
import type { TasksSection } from '../../../../../schemas/snapshots/work-section.js';
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
          'a sliced task counts only the slices that have ended: each slice is a task of its own (1 of 2)',
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
  it('are marked partial if a node or a task could not be asked', async () => {
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

describe('the indices of a long-running task', () => {
  async function indicesOf(description: string) {
    const kind = description.startsWith('reindex') ? 'reindex' : 'update/byquery';
    const task = copying({ action: `indices:data/write/${kind}`, description });
    const outcome = await collectFrom(tasksCollector, () =>
      answered(200, { nodes: { n: { tasks: { 'n:1': task } } } }),
    );
    assert.ok(outcome.ok && outcome.collected !== null);
    const [found] = (outcome.collected.body as TasksSection).tasks;
    return [found?.from_indices, found?.to_index];
  }
  /** In the form of AbstractBulkIndexByScrollRequest. */
  const updated = (code: string) =>
    ` updated with Script{type=inline, lang='painless', idOrCode='${code}', options={}, params={secret=1}}`;

  it('are reported with or without a script, and nothing of the script is', async () => {
    const script = updated("ctx._source.a = ' to [other] reindex from [another]'");
    assert.deepEqual(await indicesOf(`reindex from [a, b]${script} to [c]`), [['a', 'b'], 'c']);
    assert.deepEqual(await indicesOf(`reindex from [a][_doc]${script} to [c][_doc]`), [['a'], 'c']);
    assert.deepEqual(await indicesOf('reindex from [a] to [c]'), [['a'], 'c']);
    assert.deepEqual(await indicesOf(`update-by-query [a, b]${script}`), [['a', 'b'], null]);
    assert.deepEqual(await indicesOf('update-by-query [a][books]'), [['a'], null]);
    assert.deepEqual(await indicesOf('delete-by-query [a]'), [['a'], null]);
  });

  it('are found quickly, however long the script and the list are', async () => {
    const names = Array.from({ length: 150 }, (_, number) => `books-${number}`);
    const long = updated(' to ['.repeat(200_000));
    const begun = performance.now();
    const told = await indicesOf(`reindex from [${names.join(', ')}]${long} to [c]`);
    assert.deepEqual(told, [names.slice(0, 100), 'c']);
    assert.deepEqual(await indicesOf(`reindex from [${','.repeat(1_000_000)}{] to [c]`), [[], 'c']);
    assert.deepEqual(await indicesOf(`reindex from [${'a,'.repeat(500_000)}{] to [c]`), [[], 'c']);
    assert.ok(performance.now() - begun < 1_000);
  });

  it('include none of another cluster, nor anything of its address', async () => {
    const remote = '[scheme=http host=far port=9200 query={"a":"][b] to [x]"} username=u password=<<>>]';
    assert.deepEqual(await indicesOf(`reindex from ${remote}[a] to [c]`), [[], 'c']);
    assert.deepEqual(await indicesOf('update-by-query [all indices]'), [[], null]);
    for (const other of ['reindex', 'reindex to', 'reindex from [a] to c]', 'reindex from [a] to [c] [d e]'])
      assert.equal((await indicesOf(other))[1], null, other);
  });
});
