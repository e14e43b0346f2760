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

  describe('that were explained before', () => {
    const at = (minute: number): number => minute * 60_000;
    /** Whether the shard of a listing has the recommendation that was made so many minutes before. */
    const recommended = async (minutes: number, but: object = {}, of: object = {}): Promise<boolean> => {
      const cluster = new SteppedCluster();
      const listed = { ...shard('books', 0), unassigned_at: at(9), ...but };
      await cluster.run([
        snapshot('allocation_explain', 10, {
          unassigned: 1,
          explanations: [{ ...explanation, unassigned_at: at(9), explained_at: at(10), ...of }],
        }),
        snapshot('shards', 10 + minutes, {
          shards_total: 1,
          unassigned: 1,
          shards: [listed],
          explanations: [],
        }),
      ]);
      return 'recommendation' in (cluster.rows('clusters.shards')[0] ?? {});
    };

    it('have that for five minutes and one interval', async () => {
      assert.equal(await recommended(5), true);
      assert.equal(await recommended(7), false);
      assert.equal(await recommended(7, {}, { explained_at: null }), false);
    });

    it('go without once they are unassigned for another reason, or since another moment', async () => {
      assert.equal(await recommended(1, { unassigned_reason: 'ALLOCATION_FAILED' }), false);
      assert.equal(await recommended(1, { unassigned_at: at(8) }), false);
      assert.equal(await recommended(1, { unassigned_at: null }), true);
    });

    it('share that with another shard of their group, unless that was lost later', async () => {
      assert.equal(await recommended(1, { shard: 1, unassigned_at: at(8) }), true);
      assert.equal(await recommended(1, { shard: 1, unassigned_at: at(10.5) }), false);
    });
  });
});
