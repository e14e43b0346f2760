import assert from 'node:assert/strict';
import { PendingCalls } from '../../../../http-edge/replies/pending-calls.js';

describe('pending calls', () => {
  let now = 1_000;
  let calls: PendingCalls<string>;
  beforeEach(() => {
    now = 1_000;
    calls = new PendingCalls(10, () => now);
  });
  afterEach(() => calls.stop());

  it('give each answer to the one who waits for it', async () => {
    const first = calls.expect('a', 1_000);
    const second = calls.expect('b', 1_000);
    assert.equal(calls.settle('b', 'two'), true);
    assert.equal(calls.settle('a', 'one'), true);
    assert.deepEqual(await Promise.all([first, second]), ['one', 'two']);
  });

  it('ignore an answer that nobody waits for', () => {
    assert.equal(calls.settle('unknown', 'late'), false);
  });

  it('end without an answer, each once its own deadline has passed', async () => {
    const early = calls.expect('a', 100);
    const late = calls.expect('b', 300);
    now = 1_150;
    calls.expire();
    assert.equal(await early, undefined);
    assert.equal(calls.size, 1);
    calls.settle('b', 'in time');
    assert.equal(await late, 'in time');
  });

  it('do not end a second call by the deadline of a first with the same id', async () => {
    void calls.expect('other', 8_000);
    const first = calls.expect('a', 100);
    calls.settle('a', 'done');
    await first;
    const second = calls.expect('a', 4_000);
    now = 1_200;
    calls.expire();
    calls.settle('a', 'again');
    assert.equal(await second, 'again');
  });

  it('end although the wall clock steps back', async () => {
    const wallClock = Date.now;
    let backMs = 0;
    Date.now = () => wallClock() - backMs;
    const steady = new PendingCalls<string>(1);
    try {
      void steady.expect('other', 60_000);
      steady.expire();
      backMs = 3_600_000;
      assert.equal(await steady.expect('a', 5), undefined);
    } finally {
      Date.now = wallClock;
      steady.stop();
    }
  });

  it('end at once if the deadline has already passed', async () => {
    assert.equal(await calls.expect('a', -1), undefined);
  });

  it('all end when they are stopped', async () => {
    const call = calls.expect('a', 8_000);
    calls.stop();
    assert.equal(await call, undefined);
  });
});
