import assert from 'node:assert/strict';
import { createConcurrencyLimit, QueueFull } from '../../../../runtime/language-model/concurrency-limit.js';

const never = new AbortController().signal;

describe('concurrency limit', () => {
  it('gives permits in the order of asking, never more than its width at once', async () => {
    const limit = createConcurrencyLimit(2, 10);
    const order: number[] = [];
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const leave = await limit.acquire(never);
        order.push(index);
        most = Math.max(most, limit.running);
        await new Promise((resolve) => setImmediate(resolve));
        leave();
      }),
    );
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(most, 2);
    assert.equal(limit.running, 0);
  });

  it('refuses a caller at once if its queue is full', async () => {
    const limit = createConcurrencyLimit(1, 1);
    const leave = await limit.acquire(never);
    const second = limit.acquire(never);
    await assert.rejects(limit.acquire(never), new QueueFull(1));
    leave();
    (await second)();
  });

  it('forgets a caller that left the queue, and gives its turn to the next', async () => {
    const limit = createConcurrencyLimit(1, 5);
    const leave = await limit.acquire(never);
    const impatient = new AbortController();
    const second = limit.acquire(impatient.signal);
    const third = limit.acquire(never);
    impatient.abort(new Error('gone'));
    await assert.rejects(second, /gone/);
    leave();
    (await third)();
    assert.deepEqual([limit.running, limit.waiting], [0, 0]);
  });

  it('gives no turn to a caller that was aborted before it asked', async () => {
    const limit = createConcurrencyLimit(1, 5);
    await assert.rejects(limit.acquire(AbortSignal.abort(new Error('gone'))), /gone/);
    assert.equal(limit.running, 0);
  });

  it('counts a turn only once if it is ended twice', async () => {
    const limit = createConcurrencyLimit(1, 5);
    const leave = await limit.acquire(never);
    leave();
    leave();
    await limit.acquire(never);
    assert.equal(limit.running, 1);
  });
});
