import assert from 'node:assert/strict';
import { partitionsOfKey, PartitionHistory } from '../../../../../runtime/kafka/consume/topic-growth.js';
import { logEnd } from '../../../../../runtime/kafka/consume/log-access.js';
import { partitionOf } from '../../../../../runtime/kafka/protocol/produce-request.js';

const minute = 60_000;
const now = Date.UTC(2026, 0);

/** A topic, given the times of each partition's records. */
function logOf(times: readonly (readonly number[])[]) {
  const offsetAt = (id: number, time: number): number => {
    const of = times[id] ?? [];
    return time === logEnd ? of.length : of.findIndex((at) => at >= time);
  };
  return {
    partitions: times.map((_, id) => id),
    hasLeader: () => true,
    offsets: (at: ReadonlyMap<number, number>) =>
      Promise.resolve(new Map([...at].map(([id, time]) => [id, offsetAt(id, time)]))),
  };
}

describe('the partitions that might have records of a key', () => {
  const old = [now - 60 * minute, now - minute / 2];
  const added = [now - 10 * minute, now];

  it('are only one if the topic has not grown since', async () => {
    const log = logOf([old, old, old, old, old, old]);
    assert.deepEqual(await partitionsOfKey(log, 'key', now - 5 * minute), [partitionOf('key', 6)]);
  });

  it('include one for every number of partitions that the topic might have had since', async () => {
    const log = logOf([old, old, old, old, added, added]);
    for (let key = 0; key < 20; key++) {
      const found = await partitionsOfKey(log, `${key}`, now - 30 * minute);
      assert.deepEqual(new Set(found), new Set([4, 5, 6].map((count) => partitionOf(`${key}`, count))));
      assert.equal(found[0], partitionOf(`${key}`, 6));
    }
  });

  it('include those before a growth that some writer might not have known about', async () => {
    const log = logOf([old, old, old, old, added, added]);
    const found = await partitionsOfKey(log, 'key', now - 10 * minute + 1);
    assert.ok(found.includes(partitionOf('key', 4)));
  });

  it('include one for every smaller number of partitions if the time is unknown', async () => {
    const found = await partitionsOfKey(logOf([old, old, old]), 'key');
    assert.deepEqual(new Set(found), new Set([1, 2, 3].map((count) => partitionOf('key', count))));
  });
});

const dayMs = 86_400_000;

describe('PartitionHistory', () => {
  const partitionsOf = (key: string, ...counts: number[]): number[] => [
    ...new Set(counts.map((count) => partitionOf(key, count))),
  ];

  it('includes where a key was before the topic grew, until nothing from that time is kept', () => {
    let now = 10 * dayMs;
    const history = new PartitionHistory(7 * dayMs, () => now);
    history.know(4);
    history.know(9);
    assert.deepEqual(history.of('a task').toSorted(), partitionsOf('a task', 4, 9).toSorted());
    now += 7.5 * dayMs;
    assert.deepEqual(history.of('a task'), partitionsOf('a task', 9));
  });

  it("learns from another's text, and keeps it in its own", () => {
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

  it('treats a broker that reports fewer partitions as behind', () => {
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
