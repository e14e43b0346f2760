import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { largestRecord } from '../../../../../runtime/kafka/produce/appender.js';
import type { ClusterMemory } from '../../../../../schemas/generated/cluster-memory.js';
import type { ClusterSnapshot } from '../../../../../schemas/generated/cluster-snapshot.js';
import { clusterMemory } from '../../../../../topics/cluster-figures.js';
import { healthBody, snapshot, SteppedCluster } from '../../../../support/cluster-snapshots.js';

/** An index whose name and UUID can't be compressed. */
const index = () => ({
  index: randomBytes(700).toString('base64url'),
  uuid: randomBytes(700).toString('base64url'),
});
const listing = (minute: number, count: number): ClusterSnapshot =>
  snapshot('indices', minute, { indices: [...Array.from({ length: count }, index), books(minute)] });
const books = (minute: number) => ({ index: 'books', uuid: 'i1', health: 'green', docs_count: minute * 60 });

const gapsOfBooks = (cluster: SteppedCluster): readonly unknown[] =>
  cluster
    .rows('clusters.indices')
    .filter((row) => row['index'] === 'books')
    .map((row) => row['growth_gap']);

describe('the memory of a cluster', () => {
  it('starts from scratch, with one gap, if it is larger than a record can hold', async () => {
    const cluster = new SteppedCluster();
    await cluster.run([listing(0, 0)]);
    await cluster.run([listing(1, 4_500)]);
    await cluster.run([listing(2, 4_500)]);
    cluster.restart();
    await cluster.run([listing(3, 0)]);
    await cluster.run([listing(4, 0)]);
    const sizes = cluster.committed
      .filter(({ topic }) => topic.name === clusterMemory.name)
      .map(({ value }) => (value as ClusterMemory).state.length);
    assert.ok(Math.max(...sizes) < largestRecord, `${Math.max(...sizes)} bytes`);
    assert.deepEqual(gapsOfBooks(cluster), [
      'first snapshot',
      undefined,
      undefined,
      'first snapshot',
      undefined,
    ]);
  });

  it('is forgotten if its workspace keeps inventing clusters, and only there', async () => {
    const cluster = new SteppedCluster(40 * 17 * 1_024);
    const known = (): Set<string> => new Set([...cluster.stored.values()].map((piece) => piece.cluster_uuid));
    const of = (uuid: string, workspace: string): ClusterSnapshot =>
      snapshot('health', 0, healthBody(), { cluster_uuid: uuid, workspace });
    await cluster.run([of('of another', 'acme'), of('first', 'default')]);
    for (let run = 0; run < 10; run++) {
      await cluster.run(Array.from({ length: 100 }, (_, count) => of(`c${run}-${count}`, 'default')));
      assert.ok(known().size <= 42, `${known().size} clusters`);
    }
    assert.ok(known().size > 30, `${known().size} clusters`);
    assert.ok(known().has('of another') && known().has('c9-99'));
    assert.ok(!known().has('first'));
    cluster.restart();
    await cluster.run([of('one more', 'default')]);
    assert.ok(known().has('one more') && !known().has('c0-0'));
  });
});
