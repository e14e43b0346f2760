import assert from 'node:assert/strict';
import {
  bodyOf,
  capturedCluster,
  collectAll,
  haveCaptures,
  readCapture,
} from '../../../../support/cluster-captures.js';
import { snapshot, SteppedCluster } from '../../../../support/cluster-snapshots.js';

const book = {
  index: 'books',
  uuid: 'i1',
  health: 'green',
  replicas: 1,
  incarnation: 'here',
  docs_count: 2_000,
  store_bytes: 8_000,
  primary_store_bytes: 4_000,
};
const stats = { nodes: 3, shards: 8, primaries: 4, docs_count: 600, store_bytes: 8_000 };

/** The growth figures of the second of two answers, a minute apart. */
async function grown(
  section: 'indices' | 'cluster_stats',
  bodies: readonly object[],
): Promise<readonly unknown[]> {
  const cluster = new SteppedCluster();
  await cluster.run(bodies.map((body, minute) => snapshot(section, minute, body)));
  const row = cluster.rows(section === 'indices' ? 'clusters.indices' : 'clusters.overview').at(-1);
  const figures = ['docs_growth_per_second', 'store_growth_bytes_per_second', 'growth_gap'];
  const all = section === 'indices' ? [...figures, 'primary_store_growth_bytes_per_second'] : figures;
  return all.map((figure) => row?.[figure] ?? null);
}

const indexGrown = (...indices: readonly object[]) =>
  grown(
    'indices',
    indices.map((but) => ({ indices: [{ ...book, ...but }] })),
  );
const clusterGrown = (...answers: readonly object[]) =>
  grown(
    'cluster_stats',
    answers.map((but) => ({ ...stats, ...but })),
  );
const nothing = (gap: string): readonly unknown[] => [null, null, gap, null];
const smaller = { docs_count: 1_400, store_bytes: 2_000, primary_store_bytes: 1_000 };
const moved = 'shards moved or a node restarted';

describe('the growth of an index', () => {
  it('is negative if a healthy index holds less', async () => {
    assert.deepEqual(await indexGrown({}, smaller), [-10, -100, null, -50]);
  });

  it('is unknown if the index lost primaries, as their documents are not counted', async () => {
    const red = { health: 'red', ...smaller };
    assert.deepEqual(await indexGrown({}, red), nothing('primaries missing'));
    assert.deepEqual(
      await indexGrown({}, { ...red, incarnation: 'elsewhere' }),
      nothing('primaries missing'),
    );
    assert.deepEqual(await indexGrown(red, {}), nothing('primaries missing'));
  });

  it('is unknown if its copies moved, as data that a node does not report yet is not gone', async () => {
    assert.deepEqual(await indexGrown({}, { ...smaller, incarnation: 'elsewhere' }), nothing(moved));
  });

  it('is known for an index that is only listed while its health and replicas stay the same', async () => {
    const listed = { incarnation: null };
    assert.deepEqual(await indexGrown(listed, { ...listed, ...smaller }), [-10, -100, null, -50]);
    assert.deepEqual(await indexGrown(listed, { ...listed, ...smaller, health: 'yellow' }), nothing(moved));
    assert.deepEqual(await indexGrown(listed, { ...listed, ...smaller, replicas: 0 }), nothing(moved));
  });

  it('says why it is not known', async () => {
    assert.deepEqual(await indexGrown({}), nothing('first snapshot'));
    assert.deepEqual(await indexGrown({}, { uuid: 'i2' }), nothing('recreated'));
    assert.deepEqual(await indexGrown({}, { uuid: null }), nothing('incarnation unknown'));
    const closed = { docs_count: null, store_bytes: null, primary_store_bytes: null };
    assert.deepEqual(await indexGrown({}, closed), nothing('not measured'));
  });
});

describe('the growth of a cluster', () => {
  it('is negative if the same shards hold less', async () => {
    assert.deepEqual(await clusterGrown({}, { docs_count: 540, store_bytes: 2_000 }), [-1, -100, null]);
  });

  it('is unknown if nodes or shards came or went, as only one of the two sums includes them', async () => {
    const less = { docs_count: 300, store_bytes: 4_000 };
    for (const gone of [{ nodes: 2 }, { shards: 4 }, { primaries: 2 }]) {
      assert.deepEqual(await clusterGrown({}, { ...less, ...gone }), [
        null,
        null,
        'nodes or shards came or went',
      ]);
    }
  });

  it('says why it is not known', async () => {
    assert.deepEqual(await clusterGrown({}), [null, null, 'first snapshot']);
    assert.deepEqual(await clusterGrown({}, { docs_count: null, store_bytes: null }), [
      null,
      null,
      'not measured',
    ]);
  });
});

describe('a real cluster that lost one of its three nodes', function () {
  before(function () {
    if (!haveCaptures()) this.skip();
  });

  for (const version of ['7.17.15', '8.14.1', '9.4.3']) {
    it(`has shrunk nowhere: ${version}`, async () => {
      const cluster = new SteppedCluster();
      for (const [minute, state] of ['green', 'one-killed'].entries()) {
        const captured = capturedCluster(readCapture(`${version}-3node-${state}`));
        const sections = await collectAll(captured, undefined, ['indices', 'cluster_stats']);
        await cluster.run(
          (['indices', 'cluster_stats'] as const).map((name) =>
            snapshot(name, minute, bodyOf(sections, name)),
          ),
        );
      }
      const indices = cluster.rows('clusters.indices').slice(-3);
      assert.deepEqual(indices.map((row) => [row['index'], row['growth_gap']]).toSorted(), [
        ['norep', 'primaries missing'],
        ['orders', 'first snapshot'],
        ['three', moved],
      ]);
      const stored = [...indices, ...cluster.rows('clusters.overview').slice(-1)];
      assert.equal(stored.at(-1)?.['growth_gap'], 'nodes or shards came or went');
      const columns = stored.flatMap((row) => Object.keys(row));
      assert.deepEqual(
        columns.filter((column) => column.includes('growth') && column !== 'growth_gap'),
        [],
      );
    });
  }
});
