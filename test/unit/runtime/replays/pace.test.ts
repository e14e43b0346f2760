import assert from 'node:assert/strict';
import { Pace } from '../../../../runtime/replays/pace.js';

const aSecond = 100_000;

describe('a pace', () => {
  it('makes up for one second of a wait at most, and then keeps to its rate', async () => {
    let now = 0;
    const pace = new Pace(aSecond, () => now);
    now = 2_000_000;
    await pace.did(aSecond);
    const began = performance.now();
    await pace.did(1.05 * aSecond);
    assert.ok(performance.now() - began >= 45);
    assert.equal(pace.rate, 102.5);
  });

  it('never waits without a limit', async () => {
    const pace = new Pace(undefined, () => 0);
    await pace.did(Number.MAX_SAFE_INTEGER);
    assert.equal(pace.rate, null);
  });
});
