import assert from 'node:assert/strict';
import { inParallel } from '../../../../../../processors/score-metrics/metrics/hallucination/in-parallel.js';

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work in parallel', () => {
  it('keeps the order of the items, and works on a fixed number at a time', async () => {
    let open = 0;
    let most = 0;
    const doubled = await inParallel([5, 4, 3, 2, 1], 2, async (item) => {
      most = Math.max(most, ++open);
      for (let turn = 0; turn < item; turn += 1) await soon();
      open -= 1;
      return item * 2;
    });
    assert.deepEqual(doubled, [10, 8, 6, 4, 2]);
    assert.equal(most, 2);
  });

  it('starts nothing new after a failure, and waits for what was started', async () => {
    const begun: number[] = [];
    let ended = 0;
    const work = inParallel([0, 1, 2, 3], 2, async (item) => {
      begun.push(item);
      if (item === 0) throw new Error('first');
      await soon();
      ended += 1;
    });
    await assert.rejects(work, /first/);
    assert.deepEqual(begun, [0, 1]);
    assert.equal(ended, 1);
  });
});
