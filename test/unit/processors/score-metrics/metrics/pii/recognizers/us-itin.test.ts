import assert from 'node:assert/strict';
import { usItin } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/us-itin.js';
import { found } from './found.js';

describe('the recognizer usItin', () => {
  it('takes it with separators', () => {
    assert.deepEqual(found(usItin, '912-70-1234'), [['912-70-1234', 0.5]]);
  });

  it('takes it with context', () => {
    assert.deepEqual(found(usItin, 'ITIN 912701234'), [['912701234', 0.65]]);
  });

  it('refuses a group not issued', () => {
    assert.deepEqual(found(usItin, '912-93-1234'), []);
  });

  it('refuses one separator', () => {
    assert.deepEqual(found(usItin, '912-701234'), []);
  });
});
