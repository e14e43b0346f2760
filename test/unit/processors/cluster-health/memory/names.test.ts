import assert from 'node:assert/strict';
import type { ClusterHealth } from '../../../../../schemas/generated/cluster-health.js';
import type { ClusterSnapshot } from '../../../../../schemas/generated/cluster-snapshot.js';
import {
  healthBody,
  nodeBody,
  nodesBody,
  snapshot,
  SteppedCluster,
} from '../../../../support/cluster-snapshots.js';

const stepped = async (...snapshots: readonly ClusterSnapshot[]): Promise<SteppedCluster> => {
  const cluster = new SteppedCluster();
  for (const each of snapshots) {
    await cluster.run([each]);
    cluster.restart(); // so that the memory passes through its stored form
  }
  return cluster;
};

/** Property names of every JavaScript object: each can also be the name of an object in an agent's items. */
for (const name of Object.getOwnPropertyNames(Object.prototype)) {
  describe(`a thing with the name ${name}`, () => {
    it('is a node like any other, with its pools and what the topology says of it', async () => {
      const node = (minute: number, queries: number): ClusterSnapshot =>
        snapshot('nodes', minute, {
          nodes_total: 1,
          nodes: [
            {
              ...nodeBody({ id: name, queries }),
              incarnation: minute === 0 ? null : `${name}:1`,
              thread_pools: [{ pool: name, active: 1, queue: 0, threads: 4 }],
            },
          ],
        });
      const cluster = await stepped(
        node(0, 0),
        snapshot('topology', 1, {
          nodes: [
            {
              node_id: name,
              is_data: true,
              is_master_eligible: true,
              thread_pools: [{ pool: name, max_threads: 4, queue_size: 9 }],
            },
          ],
        }),
        node(2, 60),
        node(3, 120),
        snapshot('nodes', 4, nodesBody({ id: 'n1' })),
        snapshot('health', 4, healthBody()),
      );
      const rows = cluster.rows('clusters.nodes');
      assert.deepEqual(
        rows
          .slice(0, 3)
          .map((row) => [row['gap'], row['queries_per_second'], row['thread_pools.queue_size']]),
        [
          ['first snapshot', undefined, [null]],
          ['incarnation unknown', undefined, [9]],
          [undefined, 1, [9]],
        ],
      );
      const healths = cluster.emitted().filter(({ topic }) => topic === 'clusters.health');
      const { deductions } = healths.at(-1)?.value as ClusterHealth;
      assert.deepEqual(
        deductions.map(({ code }) => code),
        ['node_left'],
      );
    });

    it('is an index like any other', async () => {
      const index = (minute: number, docs_count: number): ClusterSnapshot =>
        snapshot('indices', minute, { indices: [{ index: name, uuid: 'i1', health: 'green', docs_count }] });
      const rows = (await stepped(index(0, 0), index(1, 60))).rows('clusters.indices');
      assert.deepEqual(
        rows.map((row) => [row['growth_gap'], row['docs_growth_per_second']]),
        [
          ['first snapshot', undefined],
          [undefined, 1],
        ],
      );
    });

    it('is a reason of an unassigned shard like any other: it does not say that a node was lost', async () => {
      const cluster = await stepped(
        snapshot('shards', 0, {
          unassigned: 1,
          shards: [
            { index: 'books', shard: 0, primary: false, state: 'UNASSIGNED', unassigned_reason: name },
          ],
        }),
        snapshot('health', 0, healthBody({ status: 'yellow', unassigned_shards: 1 })),
      );
      const healths = cluster.emitted().filter(({ topic }) => topic === 'clusters.health');
      const { deductions } = healths.at(-1)?.value as ClusterHealth;
      assert.equal(deductions[0]?.code, 'yellow_single_node');
    });
  });
}
