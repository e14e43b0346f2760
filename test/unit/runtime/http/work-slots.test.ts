import assert from 'node:assert/strict';
import { WorkSlots } from '../../../../runtime/http/work-slots.js';

describe('slots for work', () => {
  it('are had at once while there are some, half of them by one owner', async () => {
    const slots = new WorkSlots({ count: 4, patienceMs: 1 });
    assert.deepEqual([slots.take('a'), slots.take('a'), slots.take('b')], [true, true, true]);
    assert.equal(await slots.take('a'), false);
  });

  it('are waited for, and go to the owners that wait in turn', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 60_000 });
    assert.equal(slots.take('first'), true);
    const served: string[] = [];
    const all = ['a1', 'a2', 'b1'].map(async (name) => {
      assert.equal(await slots.take(name.slice(0, 1)), true);
      served.push(name);
    });
    slots.give('first');
    await new Promise(setImmediate);
    assert.deepEqual(served, ['a1']);
    slots.give('a');
    await new Promise(setImmediate);
    assert.deepEqual(served, ['a1', 'b1']);
    slots.give('b');
    await Promise.all(all);
    assert.deepEqual(served, ['a1', 'b1', 'a2']);
  });

  it('are refused to who has waited for too long, and to nobody behind', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 20 });
    assert.equal(slots.take('a'), true);
    assert.equal(await slots.take('a'), false);
    const next = slots.take('a');
    slots.give('a');
    assert.equal(await next, true);
  });

  it('are refused at once behind as many of the owner as may wait, and to nobody else', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 60_000, waiting: 1 });
    assert.equal(slots.take('a'), true);
    const waits = slots.take('a');
    assert.equal(slots.take('a'), false);
    const other = slots.take('b');
    slots.give('a');
    assert.equal(await waits, true);
    slots.give('a');
    assert.equal(await other, true);
  });

  it('are not had by who has left, and by the next one instead', async () => {
    const slots = new WorkSlots({ count: 2, patienceMs: 60_000 });
    assert.equal(slots.take('a'), true);
    const leaving = new AbortController();
    const [left, next] = [slots.take('a', leaving.signal), slots.take('a')];
    leaving.abort();
    assert.equal(await left, false);
    slots.give('a');
    assert.equal(await next, true);
    assert.equal(slots.take('a', leaving.signal), false);
  });
});
