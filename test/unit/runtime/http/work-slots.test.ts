import assert from 'node:assert/strict';
import { WorkSlots, type SlotOwner } from '../../../../runtime/http/work-slots.js';

describe('slots for work', () => {
  it('are given at once while some are free, at most half of them to one owner', async () => {
    const slots = new WorkSlots({ count: 4, patienceMs: 1 });
    assert.deepEqual(
      [slots.take({ owner: 'a' }), slots.take({ owner: 'a' }), slots.take({ owner: 'b' })],
      [true, true, true],
    );
    assert.equal(await slots.take({ owner: 'a' }), false);
  });

  it('can be waited for, and go to the waiting owners in turn', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 60_000 });
    assert.equal(slots.take({ owner: 'first' }), true);
    const served: string[] = [];
    const all = ['a1', 'a2', 'b1'].map(async (name) => {
      assert.equal(await slots.take({ owner: name.slice(0, 1) }), true);
      served.push(name);
    });
    slots.give({ owner: 'first' });
    await new Promise(setImmediate);
    assert.deepEqual(served, ['a1']);
    slots.give({ owner: 'a' });
    await new Promise(setImmediate);
    assert.deepEqual(served, ['a1', 'b1']);
    slots.give({ owner: 'b' });
    await Promise.all(all);
    assert.deepEqual(served, ['a1', 'b1', 'a2']);
  });

  it('are refused to a request that has waited too long, and to none behind it', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 20 });
    assert.equal(slots.take({ owner: 'a' }), true);
    assert.equal(await slots.take({ owner: 'a' }), false);
    const next = slots.take({ owner: 'a' });
    slots.give({ owner: 'a' });
    assert.equal(await next, true);
  });

  it("are refused at once if the owner's queue is full, and to no other owner", async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 60_000, waiting: 1 });
    assert.equal(slots.take({ owner: 'a' }), true);
    const waits = slots.take({ owner: 'a' });
    assert.equal(slots.take({ owner: 'a' }), false);
    const other = slots.take({ owner: 'b' });
    slots.give({ owner: 'a' });
    assert.equal(await waits, true);
    slots.give({ owner: 'a' });
    assert.equal(await other, true);
  });

  it('go to the next request instead of one that has left', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 60_000 });
    assert.equal(slots.take({ owner: 'a' }), true);
    const leaving = new AbortController();
    const [left, next] = [slots.take({ owner: 'a' }, leaving.signal), slots.take({ owner: 'a' })];
    leaving.abort();
    assert.equal(await left, false);
    slots.give({ owner: 'a' });
    assert.equal(await next, true);
    assert.equal(slots.take({ owner: 'a' }, leaving.signal), false);
  });

  it('are kept for other groups, and go to them in turn, however many owners one group has', async () => {
    const slots = new WorkSlots({ count: 6, patienceMs: 60_000 });
    const noisy = Array.from({ length: 20 }, (_, at) => ({ owner: `key-${at}`, group: 'noisy' }));
    const quiet = { owner: 'key', group: 'quiet' };
    const order: string[] = [];
    const waiting = (of: SlotOwner): void =>
      void Promise.resolve(slots.take(of)).then(() => order.push(of.owner));
    assert.deepEqual(
      noisy.slice(0, 4).map((of) => slots.take(of)),
      [true, true, true, true],
    );
    noisy.slice(4).forEach(waiting);
    assert.equal(slots.take(quiet), true);
    waiting(quiet);
    for (const of of noisy.slice(0, 3)) slots.give(of);
    await new Promise(setImmediate);
    assert.deepEqual(order, ['key-4', 'key']);
  });
});
