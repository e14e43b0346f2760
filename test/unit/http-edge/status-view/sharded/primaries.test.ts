import assert from 'node:assert/strict';
import fc from 'fast-check';
import { primariesOf } from '../../../../../http-edge/status-view/sharded/primaries.js';
import { assignSticky } from '../../../../../runtime/kafka/consume/group-membership.js';

const partitions = Array.from({ length: 12 }, (_, id) => id);

/** The group's assignment of partitions to edges that hold none yet. */
function assigned(names: readonly string[], copies: number) {
  const members = names.map((id) => ({ id, held: [] }));
  return [...assignSticky(members, partitions, copies)].map(([name, its]) => ({
    url: `http://${name}:8079`,
    partitions: its,
  }));
}

describe('the primary of a partition', () => {
  it('is an edge that has it, the same for all edges with the same knowledge', () => {
    const names = fc.uniqueArray(fc.domain(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 3 }), (some, copies) => {
        const edges = assigned(some, copies);
        const primaries = primariesOf(edges);
        assert.deepEqual(primariesOf(edges.toReversed()), primaries);
        for (const id of partitions) {
          const primary = edges.find(({ url }) => url === primaries.get(id));
          assert.ok(primary?.partitions.includes(id));
        }
      }),
    );
  });

  it('is each of two edges for half of their partitions, and is the same again after one was absent', () => {
    const both = assigned(['a', 'b'], 2);
    const before = primariesOf(both);
    const [a] = both;
    assert.equal([...before.values()].filter((url) => url === a?.url).length, 6);
    assert.deepEqual(new Set(primariesOf(assigned(['a'], 2)).values()), new Set([a?.url]));
    assert.deepEqual(primariesOf(assigned(['a', 'b'], 2)), before);
  });

  it('is the only edge that has it, or none if no edge has it', () => {
    const alone = primariesOf(assigned(['a', 'b', 'c'], 1));
    assert.equal(alone.size, 12);
    for (const { url, partitions: its } of assigned(['a', 'b', 'c'], 1))
      for (const id of its) assert.equal(alone.get(id), url);
    assert.equal(primariesOf([]).size, 0);
  });
});
