import assert from 'node:assert/strict';
import { AcquiredPartitions } from '../../../../../runtime/kafka/consume/assigned-partition.js';

describe('acquired partitions', () => {
  const never = (): Promise<string> => assert.fail('it is taken over already');

  it('are acquired once, for all who ask', async () => {
    const taken = new AcquiredPartitions<string>();
    const first = taken.of(3, () => Promise.resolve('mine'));
    assert.equal(taken.of(3, never), first);
    assert.equal(taken.present(3), undefined);
    assert.equal(await first, 'mine');
    assert.equal(taken.present(3), 'mine');
    assert.equal(taken.present(4), undefined);
  });

  it('are acquired again after a failure, and after they were forgotten', async () => {
    const taken = new AcquiredPartitions<string>();
    await assert.rejects(taken.of(0, () => Promise.reject(new Error('away'))));
    assert.equal(await taken.of(0, () => Promise.resolve('second')), 'second');
    taken.forget(0);
    assert.equal(taken.present(0), undefined);
    assert.equal(await taken.of(0, () => Promise.resolve('third')), 'third');
  });

  it('are not forgotten because of an acquisition that a later one has replaced', async () => {
    const taken = new AcquiredPartitions<string>();
    const former = taken.of(0, () => Promise.resolve('former'));
    assert.deepEqual(taken.forgetAll(), [former]);
    const present = taken.of(0, () => Promise.resolve('present'));
    taken.forget(0, former);
    await Promise.all([former, present]);
    assert.equal(taken.present(0), 'present');
  });
});
