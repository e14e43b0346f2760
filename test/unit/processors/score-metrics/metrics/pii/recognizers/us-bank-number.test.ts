import assert from 'node:assert/strict';
import { usBankNumber } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/us-bank-number.js';
import { found } from './found.js';

describe('the recognizer usBankNumber', () => {
  it('takes a number with context', () => {
    assert.deepEqual(found(usBankNumber, 'bank account 8273645190'), [['8273645190', 0.4]]);
  });

  it('doubts a number without context', () => {
    assert.deepEqual(found(usBankNumber, 'serial 8273645190'), [['8273645190', 0.05]]);
  });

  it('refuses amounts', () => {
    assert.deepEqual(found(usBankNumber, 'my account holds $82736451 or 25000000'), []);
  });
});
