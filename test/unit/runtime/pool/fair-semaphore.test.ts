import assert from 'node:assert/strict';
import { FairSemaphore } from '../../../../runtime/pool/fair-semaphore.js';

describe('a fair semaphore', () => {
  it('serves groups in turn, and keeps the order within each', async () => {
    const semaphore = new FairSemaphore(1);
    await semaphore.acquire('first');
    const served: string[] = [];
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
      await semaphore.acquire(name.slice(0, 1));
      served.push(name);
      semaphore.release();
    });
    semaphore.release();
    await Promise.all(all);
    assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('admits as many at once as it was made for', async () => {
    const semaphore = new FairSemaphore(2);
    await semaphore.acquire('a');
    await semaphore.acquire('a');
    const third = semaphore.acquire('a').then(() => 'third');
    assert.equal(await Promise.race([third, Promise.resolve('waiting')]), 'waiting');
    semaphore.release();
    assert.equal(await third, 'third');
  });

  it('skips a caller that was aborted while it waited', async () => {
    const semaphore = new FairSemaphore(1);
    await semaphore.acquire('a');
    const abort = new AbortController();
    const aborted = semaphore.acquire('b', abort.signal);
    const waiting = semaphore.acquire('c');
    abort.abort(new Error('no longer wanted'));
    await assert.rejects(aborted, /no longer wanted/);
    semaphore.release();
    await waiting;
  });
});
