import assert from 'node:assert/strict';
import { judgeBreaker, judgePool } from '../../../dashboard/src/pages/cluster/pool-status.js';

describe('the state of a pool and of a breaker', () => {
  it('is unknown where nothing says that it is fine', () => {
    assert.equal(judgePool({ rejections: null, queue_ratio: null }).status, 'unknown');
    assert.equal(judgePool({ rejections: null, queue_ratio: 0.1 }).status, 'unknown');
    assert.equal(judgeBreaker({ trips: null, utilisation: 0.1 }).status, 'unknown');
    assert.equal(judgeBreaker({ trips: 0, utilisation: null }).status, 'unknown');
  });

  it('is what is worst of what is known', () => {
    assert.equal(judgePool({ rejections: 1, queue_ratio: 0.9 }).word, 'rejects');
    assert.equal(judgePool({ rejections: null, queue_ratio: 0.9 }).word, 'queue fills');
    assert.equal(judgePool({ rejections: 0, queue_ratio: null }).word, 'fine');
    assert.equal(judgeBreaker({ trips: 2, utilisation: null }).word, 'tripped');
    assert.equal(judgeBreaker({ trips: null, utilisation: 0.9 }).word, 'near its limit');
    assert.equal(judgeBreaker({ trips: 0, utilisation: 0.1 }).word, 'fine');
  });
});
