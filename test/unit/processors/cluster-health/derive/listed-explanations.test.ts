import assert from 'node:assert/strict';
import { snapshot, SteppedCluster } from '../../../../support/cluster-snapshots.js';

const shard = (index: string, number: number) => ({
  index,
  shard: number,
  primary: false,
  state: 'UNASSIGNED',
  unassigned_reason: 'NODE_LEFT',
});
const explanation = {
  ...shard('books', 0),
  can_allocate: 'no',
  explanation: 'no node can hold it',
  recommendation_code: 'add_node',
  recommendation: 'Add a data node.',
};
const listing = (part: number, number: number, explanations: readonly object[]) =>
  snapshot(
    'shards',
    10,
    { shards_total: 2, unassigned: 2, shards: [shard('books', number)], explanations },
    { part, parts: 2 },
  );

describe('unassigned shards', () => {
  it('are explained by their own listing, in all its parts, before any other explanation came', async () => {
    const cluster = new SteppedCluster();
    await cluster.run([listing(1, 0, [explanation]), listing(2, 1, [])]);
    const rows = cluster.rows('clusters.shards');
    assert.deepEqual(
      rows.map(({ shard: number, recommendation }) => [number, recommendation]),
      [
        [0, 'Add a data node.'],
        [1, 'Add a data node.'],
      ],
    );
  });

  it('go without where nobody explained them', async () => {
    const cluster = new SteppedCluster();
    await cluster.run([listing(1, 0, []), listing(2, 1, [])]);
    assert.ok(cluster.rows('clusters.shards').every((row) => !('recommendation' in row)));
  });
});
