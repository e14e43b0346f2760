import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultCollectorSettings } from '../../../../agent/collectors/settings.js';
import type { CallOutcome, OpenSearchClient } from '../../../../agent/integration/client/search-client.js';
import type { ElasticsearchCluster } from '../../../../stack/elasticsearch/cluster.js';
import { pendingTaskRow } from '../../../../processors/cluster-health/derive/work.js';
import { taskColumns } from '../../../../schemas/cluster-rows/task-columns.js';
import type { ClusterAnswers } from '../../../support/cluster-answers.js';
import { pendingTaskRules } from '../../../support/column-rules/work-rules.js';
import { sameColumns } from '../../../support/same-columns.js';
import { bodyOf, collectAll, collectedOf } from '../../../support/cluster-captures.js';
import { takeThreeNodes } from '../../../support/elasticsearch.js';
import { EvaluatedCluster } from '../../../support/evaluated-cluster.js';
import { askDirectly, searchClient } from '../../../support/search-clients.js';
import { until } from '../../../support/until.js';

interface Health {
  readonly status: string;
  readonly unassigned_shards: number;
  readonly active_shards: number;
  readonly number_of_nodes: number;
}
interface Stats {
  readonly indices: Readonly<
    Record<string, { readonly total: { readonly indexing: { readonly index_total: number } } }>
  >;
}
type Row = Readonly<Record<string, string | null>>;

describe('collecting from a real cluster of three nodes (7.17)', () => {
  let cluster: ElasticsearchCluster;
  let client: OpenSearchClient;
  const calls: CallOutcome[] = [];
  let url: string;
  const ask = (method: string, path: string, body?: object | string): Promise<unknown> =>
    askDirectly(url, method, path, body);

  before(async () => {
    cluster = await takeThreeNodes();
    const [first] = cluster.nodes;
    assert.ok(first);
    url = first.url;
    client = await searchClient(first.port, {}, (call) => calls.push(call));
    await ask('PUT', '/orders', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
    await ask('PUT', '/single', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
    const lines = Array.from({ length: 50 }, (_, number) => [
      JSON.stringify({ index: { _index: 'orders', _id: `${number}` } }),
      JSON.stringify({ total: number }),
    ]);
    await ask('POST', '/_bulk?refresh=true', `${lines.flat().join('\n')}\n`);
    await ask('GET', '/_search?q=total:7');
    await ask('GET', '/_cluster/health?wait_for_status=green&timeout=240s');
  });

  after(async () => {
    await client.close();
    await cluster.stop();
  });

  /** The reason of the deduction for a hanging node, which takes three looks. */
  async function reasonOfSilence(evaluated: EvaluatedCluster): Promise<string> {
    let reason: string | undefined;
    await until('the node has been silent in three looks', async () => {
      const { deductions } = await evaluated.look(['health', 'nodes']);
      reason = deductions.find(({ code }) => code === 'node_silent')?.reason;
      return reason !== undefined;
    });
    return reason ?? assert.fail('it is said');
  }

  it('gives the numbers that the cluster itself answers at that moment', async () => {
    const outcomes = await collectAll(client);
    const health = (await ask('GET', '/_cluster/health')) as Health;
    const collected = bodyOf(outcomes, 'health');
    assert.equal(collected.status, health.status);
    assert.equal(collected.active_shards, health.active_shards);
    assert.equal(collected.nodes, health.number_of_nodes);
    assert.equal(collected.unassigned_primaries, 0);

    const stats = (await ask('GET', '/_stats')) as Stats;
    const orders = bodyOf(outcomes, 'indices').indices.find(({ index }) => index === 'orders');
    assert.equal(orders?.docs_count, 50);
    assert.equal(orders.total?.indexing_total, stats.indices['orders']?.total.indexing.index_total);
    assert.equal(orders.primary?.indexing_total, 50);
    assert.match(orders.incarnation ?? '', /^[0-9a-f]{32}$/);

    const rows = (await ask('GET', '/_cat/shards?format=json')) as readonly Row[];
    const { shards } = bodyOf(outcomes, 'shards');
    assert.deepEqual(
      shards.map(({ index, shard, primary, node }) => `${index} ${shard} ${primary} ${node}`).sort(),
      rows.map((row) => `${row['index']} ${row['shard']} ${row['prirep'] === 'p'} ${row['node']}`).sort(),
    );
    assert.ok(shards.every(({ index_uuid }) => index_uuid !== null));

    const nodes = bodyOf(outcomes, 'nodes');
    assert.equal(nodes.nodes.length, 3);
    assert.equal(nodes.nodes.filter(({ is_master }) => is_master).length, 1);
    const documents = nodes.nodes.reduce((sum, node) => sum + (node.operations.docs_count ?? 0), 0);
    assert.equal(documents, 100);
    assert.equal(bodyOf(outcomes, 'cluster_stats').docs_count, 50);
    assert.equal(bodyOf(outcomes, 'watermarks').low.source, 'default');
    assert.equal(bodyOf(outcomes, 'topology').data_nodes, 3);
  });

  it('continues with the other nodes while one hangs, and says that this one did not answer', async () => {
    const [other] = (await ask('GET', '/_cat/master?format=json')) as readonly Row[];
    const hanging = cluster.nodes.slice(1).find(({ nodeName }) => nodeName !== other?.['node']);
    assert.ok(hanging?.pid !== undefined);
    const settings = { ...defaultCollectorSettings, requestTimeoutMs: 2_000 };
    const evaluated = new EvaluatedCluster(client, '7.17.15', settings);
    await evaluated.look(['health', 'nodes']);
    process.kill(-hanging.pid, 'SIGSTOP');
    try {
      const outcomes = await collectAll(client, { ...defaultCollectorSettings, requestTimeoutMs: 8_000 }, [
        'health',
        'topology',
        'nodes',
        'cluster_stats',
        'tasks',
      ]);
      for (const section of ['topology', 'nodes', 'cluster_stats', 'tasks'] as const) {
        const { body, partial } = collectedOf(outcomes, section);
        assert.deepEqual([body.nodes_failed, partial], [1, true], section);
      }
      assert.equal(bodyOf(outcomes, 'health').nodes, 3, 'the cluster has not dropped it yet');
      const { nodes_total, nodes } = bodyOf(outcomes, 'nodes');
      assert.deepEqual([nodes_total, nodes.length], [3, 2]);
      assert.ok(nodes.every(({ name, heap_used_percent }) => name !== hanging.nodeName && heap_used_percent));
      assert.match(
        await reasonOfSilence(evaluated),
        new RegExp(
          `^1 node is still a member .* \\(${hanging.nodeName}\\)\\. .* hangs, .*\\. Check the node's host and log, .*\\.$`,
        ),
      );
    } finally {
      process.kill(-hanging.pid, 'SIGCONT');
    }
    await ask('GET', '/_cluster/health?wait_for_status=green&wait_for_nodes=3&timeout=240s');
  });

  it('lists the pending tasks of the master as the master does, with how long each has waited', async () => {
    const pending = async (): Promise<ClusterAnswers> => {
      const { tasks } = (await ask('GET', '/_cluster/pending_tasks')) as {
        readonly tasks: readonly unknown[];
      };
      return { pending: tasks } as ClusterAnswers;
    };
    const [master] = (await ask('GET', '/_cat/master?format=json')) as readonly Row[];
    const hanging = cluster.nodes.slice(1).find(({ nodeName }) => nodeName !== master?.['node']);
    assert.ok(hanging?.pid !== undefined);
    process.kill(-hanging.pid, 'SIGSTOP');
    let changes: readonly Promise<unknown>[] = [];
    try {
      // Two of three nodes commit the first change, which waits for the third; the other changes wait for it.
      changes = [3, 4, 5].map((recoveries) =>
        ask('PUT', '/_cluster/settings?master_timeout=100s&timeout=1s', {
          transient: { 'cluster.routing.allocation.node_concurrent_recoveries': recoveries },
        }),
      );
      const queue = changes.length;
      await until('all of them are there', async () => (await pending()).pending?.length === queue);
      const before = await pending();
      const body = bodyOf(
        await collectAll(client, defaultCollectorSettings, ['pending_tasks']),
        'pending_tasks',
      );
      const readings = [before, await pending()];
      assert.equal(body.tasks_total, queue);
      assert.equal(body.tasks.length, body.tasks_total);
      assert.equal(body.max_wait_ms, Math.max(...body.tasks.map(({ queued_ms }) => queued_ms ?? 0)));
      for (const task of body.tasks) {
        const rules = pendingTaskRules(task.insert_order ?? assert.fail('it has a place in the queue'));
        const expected = { major: 7, readings, unavailable: {} };
        sameColumns('cluster_tasks (pending)', taskColumns, rules, pendingTaskRow(task), expected);
      }
    } finally {
      process.kill(-hanging.pid, 'SIGCONT');
    }
    await Promise.all(changes);
    await ask('GET', '/_cluster/health?wait_for_status=green&wait_for_nodes=3&timeout=240s');
  });

  it('says what was lost with a killed node, and why', async () => {
    const killed = cluster.nodes[2];
    assert.ok(killed);
    await killed.kill9();
    await until(
      'the node is missed',
      async () => ((await ask('GET', '/_cluster/health')) as Health).number_of_nodes === 2,
    );
    const outcomes = await collectAll(client);
    const rows = (await ask('GET', '/_cat/shards?format=json')) as readonly Row[];
    const lost = rows.filter((row) => row['state'] === 'UNASSIGNED' && row['prirep'] === 'p');
    const health = bodyOf(outcomes, 'health');
    assert.equal(health.status, 'red');
    assert.ok(lost.length > 0);
    assert.equal(health.unassigned_primaries, lost.length);
    assert.equal(bodyOf(outcomes, 'shards').unassigned_primaries, lost.length);
    assert.ok(bodyOf(outcomes, 'shards').shards[0]?.unassigned_reason === 'NODE_LEFT');
    const { explanations } = bodyOf(outcomes, 'allocation_explain');
    const primary = explanations.find((explanation) => explanation.primary);
    assert.equal(primary?.recommendation_code, 'copy_lost');
    const listed = bodyOf(outcomes, 'shards').explanations;
    assert.deepEqual(listed, explanations, 'a shard is explained with its own listing');
    assert.equal(bodyOf(outcomes, 'nodes').nodes_total, 2);
  });

  it('recognises a restarted node, and what can no longer be compared', async () => {
    const back = cluster.nodes[2];
    const before = await collectAll(client);
    assert.ok(back);
    await back.start();
    await ask('GET', '/_cluster/health?wait_for_status=green&wait_for_nodes=3&timeout=240s');
    const again = await collectAll(client);
    await cluster.nodes[1]?.kill9();
    await cluster.nodes[1]?.start();
    await ask('GET', '/_cluster/health?wait_for_status=green&wait_for_nodes=3&timeout=240s');
    const restarted = await collectAll(client);
    const incarnationOf = (outcomes: typeof before, name: string): string | null | undefined =>
      bodyOf(outcomes, 'nodes').nodes.find((node) => node.name === name)?.incarnation;
    assert.equal(incarnationOf(again, 'm2'), incarnationOf(before, 'm2'));
    assert.notEqual(incarnationOf(restarted, 'm2'), incarnationOf(again, 'm2'));
    assert.equal(incarnationOf(restarted, 'm1'), incarnationOf(again, 'm1'));
    const indexIncarnation = (outcomes: typeof before): string | null | undefined =>
      bodyOf(outcomes, 'indices').indices.find(({ index }) => index === 'orders')?.incarnation;
    assert.notEqual(indexIncarnation(restarted), indexIncarnation(again));
  });

  it('says that there is no master without a quorum, and measures nothing that needs one', async () => {
    await Promise.all(cluster.nodes.slice(1).map((node) => node.kill9()));
    await sleep(1_000);
    await until('the quorum is missed', async () => {
      const { status } = await client.get('/_cluster/health?master_timeout=1s&timeout=1s');
      return status === 503;
    });
    const outcomes = await collectAll(client);
    const { body, partial } = collectedOf(outcomes, 'health');
    assert.equal(body.no_master, true);
    assert.equal(partial, true);
    assert.equal(body.unassigned_shards, null);
    for (const [section, outcome] of outcomes) {
      if (outcome.ok) continue;
      const kinds =
        section === 'data_streams' ? ['missing', 'no_master', 'broken'] : ['no_master', 'broken', 'busy'];
      assert.ok(kinds.includes(outcome.failure.kind), `${section}: ${outcome.failure.kind}`);
    }
  });

  it('made no call but those that the agent may make, and read no cluster state', () => {
    const made = new Set(calls.map(({ call }) => call));
    made.delete('GET /_cluster/health/{indices}'); // only if a red index is recovering at that moment
    assert.deepEqual([...made].sort(), [
      'GET /',
      'GET /_cat/indices',
      'GET /_cat/master',
      'GET /_cat/shards',
      'GET /_cluster/health',
      'GET /_cluster/pending_tasks',
      'GET /_cluster/settings',
      'GET /_cluster/stats',
      'GET /_data_stream/_stats',
      'GET /_nodes/stats/{metrics}/{metrics}',
      'GET /_nodes/{metrics}',
      'GET /_nodes/{nodes}/stats/{metrics}/{metrics}', // if another node did not answer
      'GET /_recovery',
      'GET /_tasks',
      'GET /{indices}/_stats/{metrics}',
      'POST /_cluster/allocation/explain',
    ]);
  });
});
