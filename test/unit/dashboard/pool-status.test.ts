import assert from 'node:assert/strict';
import { evaluateBreaker, evaluatePool } from '../../../dashboard/src/pages/cluster/pool-status.js';

describe('the state of a pool and of a breaker', () => {
  it('is unknown if nothing says that it is fine', () => {
    assert.equal(evaluatePool({ rejections: null, queue_ratio: null }).status, 'unknown');
    assert.equal(evaluatePool({ rejections: null, queue_ratio: 0.1 }).status, 'unknown');
    assert.equal(evaluateBreaker({ trips: null, utilisation: 0.1 }).status, 'unknown');
    assert.equal(evaluateBreaker({ trips: 0, utilisation: null }).status, 'unknown');
  });

  it('has a reason wherever it is not fine', () => {
    for (const ratio of [null, 0.1, 0.9])
      for (const count of [null, 0, 2])
        for (const { word, reason } of [
          evaluatePool({ rejections: count, queue_ratio: ratio }),
          evaluateBreaker({ trips: count, utilisation: ratio }),
        ])
          assert.equal(reason === null, word === 'fine', `${word}: ${reason ?? ''}`);
  });

  it('is the worst of what is known', () => {
    assert.equal(evaluatePool({ rejections: 1, queue_ratio: 0.9 }).word, 'rejects');
    assert.equal(evaluatePool({ rejections: null, queue_ratio: 0.9 }).word, 'queue fills');
    assert.equal(evaluatePool({ rejections: 0, queue_ratio: null }).word, 'fine');
    assert.equal(evaluateBreaker({ trips: 2, utilisation: null }).word, 'tripped');
    assert.equal(evaluateBreaker({ trips: null, utilisation: 0.9 }).word, 'near its limit');
    assert.equal(evaluateBreaker({ trips: 0, utilisation: 0.1 }).word, 'fine');
  });
});
