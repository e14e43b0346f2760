import assert from 'node:assert/strict';
import { oldestOf } from '../../../../agent/forwarder/report.js';
import { Waiting } from '../../../../agent/forwarder/waiting.js';

describe('the time since which the oldest item waits', () => {
  it('is when it was accepted, and undefined if all has arrived', () => {
    const waiting = new Waiting(false, 100);
    assert.equal(waiting.since(100), undefined);
    waiting.put(110, 1_000);
    waiting.put(120, 1_999);
    waiting.put(130, 2_000);
    assert.equal(waiting.since(100), 1_000);
    assert.equal(waiting.since(119), 1_000);
    assert.equal(waiting.since(120), 2_000);
    assert.equal(waiting.since(130), undefined);
  });

  it('is unknown for items that waited when the agent started', () => {
    const waiting = new Waiting(true, 100);
    waiting.put(110, 1_000);
    assert.equal(waiting.since(50), null);
    assert.equal(waiting.since(100), 1_000);
  });

  it('stays that of the oldest, however much waits', () => {
    const waiting = new Waiting(false, 0);
    for (let second = 1; second <= 5_000; second++) waiting.put(second, second * 1_000);
    assert.equal(waiting.since(0), 1_000);
    const later = waiting.since(2_500);
    assert.ok(typeof later === 'number' && later > 2_000_000 && later <= 2_501_000, String(later));
  });

  it('is the earliest of all datasets, and unknown if that of one is unknown', () => {
    assert.deepEqual(oldestOf([undefined, undefined]), { oldest_at: null, oldest_unknown: null });
    assert.deepEqual(oldestOf([5, undefined, 3]), { oldest_at: 3, oldest_unknown: null });
    assert.deepEqual(oldestOf([5, null]), {
      oldest_at: null,
      oldest_unknown: 'It was in the spool when the agent started.',
    });
  });
});
