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

  it('have no explanation if none was sent', async () => {
    const cluster = new SteppedCluster();
    await cluster.run([listing(1, 0, []), listing(2, 1, [])]);
    assert.ok(cluster.rows('clusters.shards').every((row) => !('recommendation' in row)));
  });

  it('each get as many deciders as fit in a row, as thousands of shards can share one explanation', async () => {
    const decider = (number: number) => ({
      decider: `decider-${number}`,
      decision: 'NO',
      explanation: 'x'.repeat(2_000),
      nodes: 1,
      node_names: ['node-1'],
    });
    const deciders = Array.from({ length: 50 }, (_, number) => decider(number));
    const cluster = new SteppedCluster();
    await cluster.run([listing(1, 0, [{ ...explanation, deciders }]), listing(2, 1, [])]);
    for (const row of cluster.rows('clusters.shards')) {
      const told = JSON.parse(String(row['deciders'])) as object[];
      assert.deepEqual(told, deciders.slice(0, 7));
    }
  });

  describe('that were explained before', () => {
    const at = (minute: number): number => minute * 60_000;
    /** Whether a listed shard has the recommendation made this many minutes before. */
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

    it('keep that explanation for five minutes and one interval', async () => {
      assert.equal(await recommended(5), true);
      assert.equal(await recommended(7), false);
      assert.equal(await recommended(7, {}, { explained_at: null }), false);
    });

    it('keep it for as long as the agent repeats it', async () => {
      assert.equal(await recommended(1, {}, { explained_at: 1_000 }), true);
      assert.equal(await recommended(7, {}, { explained_at: 1_000 }), false);
    });

    it('lose it once they are unassigned for another reason, or since another time', async () => {
      assert.equal(await recommended(1, { unassigned_reason: 'ALLOCATION_FAILED' }), false);
      assert.equal(await recommended(1, { unassigned_at: at(8) }), false);
      assert.equal(await recommended(1, { unassigned_at: null }), true);
    });

    it('share it with another shard of their group, unless that one was lost later', async () => {
      assert.equal(await recommended(1, { shard: 1, unassigned_at: at(8) }), true);
      assert.equal(await recommended(1, { shard: 1, unassigned_at: at(10.5) }), false);
    });
  });

  describe('of more groups than one part of a snapshot holds', () => {
    const books = (number: number) => ({ ...shard(`books-${number}`, 0), unassigned_at: 1 });
    const of = (number: number, but: object = {}) => ({
      ...explanation,
      ...books(number),
      recommendation: `Advice ${number}.`,
      explained_at: 600_000,
      ...but,
    });
    const told = (part: number, minute: number, ...explanations: readonly object[]) =>
      snapshot('allocation_explain', minute, { unassigned: 3, explanations }, { part, parts: 2 });
    const listed = (minute: number, ...explanations: readonly object[]) =>
      snapshot('shards', minute, {
        shards_total: 3,
        unassigned: 3,
        shards: [1, 2, 3].map(books),
        explanations,
      });
    const advised = async (...snapshots: Parameters<SteppedCluster['run']>[0]) => {
      const cluster = new SteppedCluster();
      for (const each of snapshots) await cluster.run([each]);
      return cluster
        .rows('clusters.shards')
        .slice(-3)
        .map(({ recommendation }) => recommendation ?? null);
    };

    it('are explained by all parts, in whatever order they come', async () => {
      const all = ['Advice 1.', 'Advice 2.', 'Advice 3.'];
      assert.deepEqual(await advised(told(1, 10, of(1), of(2)), told(2, 10, of(3)), listed(11)), all);
      assert.deepEqual(await advised(told(2, 10, of(3)), told(1, 10, of(1), of(2)), listed(11)), all);
    });

    it('keep no explanation of an earlier snapshot', async () => {
      const before = [told(1, 9, of(1), of(2)), told(2, 9, of(3))];
      assert.deepEqual(await advised(...before, told(1, 10, of(1)), told(2, 10, of(2)), listed(11)), [
        'Advice 1.',
        'Advice 2.',
        null,
      ]);
    });

    it('are explained in addition to those in the listing, each by its latest explanation', async () => {
      const newer = of(1, { recommendation: 'Newer.', explained_at: 601_000 });
      assert.deepEqual(await advised(told(1, 10, of(1), of(2)), told(2, 10, of(3)), listed(11, newer)), [
        'Newer.',
        'Advice 2.',
        'Advice 3.',
      ]);
      assert.deepEqual(await advised(listed(9, of(2), of(3)), told(1, 10, newer), told(2, 10), listed(11)), [
        'Newer.',
        null,
        null,
      ]);
    });
  });
});
