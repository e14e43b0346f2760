import assert from 'node:assert/strict';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
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
});
