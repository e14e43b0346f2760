import assert from 'node:assert/strict';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { allowedCall } from '../../../../../agent/integration/client/allow-list.js';
import { indicesCollector } from '../../../../../agent/collectors/sections/indices.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const unrecognized = {
  error: {
    type: 'illegal_argument_exception',
    reason: 'contains unrecognized parameter: [expand_wildcards]',
  },
  status: 400,
};

describe('the listing of indices', () => {
  it('does without the parameter for hidden ones where the version refuses it, and asks for them once', async () => {
    const listings: string[] = [];
    const memory = newClusterMemory();
    const collect = () =>
      collectFrom(
        indicesCollector,
        (path) => {
          if (!path.startsWith('/_cat/indices')) return answered(200, {});
          listings.push(path);
          return path.includes('expand_wildcards')
            ? answered(400, unrecognized)
            : answered(200, [
                { index: 'books', uuid: 'i1', health: 'green', status: 'close', pri: '1', rep: '0' },
              ]);
        },
        memory,
      );
    for (const outcome of [await collect(), await collect()]) {
      assert.ok(outcome.ok && outcome.collected !== null);
      assert.equal((outcome.collected.body as { indices_total: number }).indices_total, 1);
    }
    assert.deepEqual(
      listings.map((path) => path.includes('expand_wildcards')),
      [true, false, false],
    );
  });

  it('has what is counted of an index whose name has a percent sign, asked for by a call that may be made', async () => {
    const name = '%{[@metadata][beat]}-2026.11.22';
    const listed = { uuid: 'i1', health: 'green', status: 'open', pri: '1', rep: '0' };
    const outcome = await collectFrom(indicesCollector, (path) => {
      assert.notEqual(allowedCall('GET', path), undefined, path);
      if (path.startsWith('/_cat/indices')) return answered(200, [{ index: name, ...listed }]);
      if (!path.includes('/_stats/')) return answered(200, {});
      const total = { docs: { count: 1 }, indexing: { index_total: 7 } };
      const other = { ...total, indexing: { index_total: 8 } };
      return answered(200, {
        indices: {
          [name]: { uuid: 'i1', total, primaries: total },
          'beat-2026.11.22': { uuid: 'i2', total: other, primaries: other },
        },
      });
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const { indices } = outcome.collected.body as {
      indices: readonly { index: string; total: { indexing_total: number } | null }[];
    };
    assert.deepEqual(
      indices.map(({ index, total }) => [index, total?.indexing_total]),
      [[name, 7]],
    );
  });
});
