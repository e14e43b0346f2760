import assert from 'node:assert/strict';
import { partitionOf } from '../../../../../runtime/kafka/protocol/partitioning.js';
import { PartitionHistory } from '../../../../../runtime/kafka/views/partition-history.js';

const dayMs = 86_400_000;

describe('PartitionHistory', () => {
  const partitionsOf = (key: string, ...counts: number[]): number[] => [
    ...new Set(counts.map((count) => partitionOf(key, count))),
  ];

  it('looks where a key was before the topic grew, until nothing of then is kept', () => {
    let now = 10 * dayMs;
    const history = new PartitionHistory(7 * dayMs, () => now);
    history.know(4);
    history.know(9);
    assert.deepEqual(history.of('a task').toSorted(), partitionsOf('a task', 4, 9).toSorted());
    now += 7.5 * dayMs;
    assert.deepEqual(history.of('a task'), partitionsOf('a task', 9));
  });

  it('learns from what another has kept, and keeps it', () => {
    const first = new PartitionHistory(7 * dayMs);
    first.know(4);
    first.know(9);
    const second = new PartitionHistory(7 * dayMs);
    second.know(12);
    second.learn(first.text());
    const third = new PartitionHistory(7 * dayMs);
    third.learn(second.text());
    assert.deepEqual(third.of('a task').toSorted(), partitionsOf('a task', 4, 9, 12).toSorted());
  });

  it('takes a broker that has not heard of a growth for behind', () => {
    const history = new PartitionHistory(7 * dayMs);
    history.know(9);
    history.know(4);
    assert.deepEqual(history.of('a task'), partitionsOf('a task', 9));
  });

  for (const nonsense of ['', 'nothing', '[1]', '{"four":1,"-1":2,"5":"x"}', 'null'])
    it(`passes over ${nonsense || 'an empty note'}`, () => {
      const history = new PartitionHistory(7 * dayMs);
      history.know(4);
      history.learn(nonsense);
      assert.deepEqual(history.of('a task'), partitionsOf('a task', 4));
    });
});
