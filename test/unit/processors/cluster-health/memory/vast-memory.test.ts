import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { largestRecord } from '../../../../../runtime/kafka/produce/append-batch.js';
import type { ClusterMemory } from '../../../../../schemas/generated/cluster-memory.js';
import type { ClusterSnapshot } from '../../../../../schemas/generated/cluster-snapshot.js';
import { clusterMemory } from '../../../../../topics/cluster-figures.js';
import { snapshot, SteppedCluster } from '../../../../support/cluster-snapshots.js';

/** What can't be compressed. */
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

describe('what is remembered of a cluster', () => {
  it('begins anew where it is more than a record can hold: a gap, and everything goes on', async () => {
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
});
