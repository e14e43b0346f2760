import assert from 'node:assert/strict';
import { usSsn } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/us-ssn.js';
import { found } from './found.js';

describe('the recognizer usSsn', () => {
  it('takes hyphens', () => {
    assert.deepEqual(found(usSsn, '536-22-8726'), [['536-22-8726', 0.5]]);
  });

  it('takes it with context', () => {
    assert.deepEqual(found(usSsn, 'SSN: 536 22 8726'), [['536 22 8726', 0.85]]);
  });

  it('takes a number with a label after it', () => {
    assert.deepEqual(found(usSsn, '536228726 (SSN)'), [['536228726', 0.4]]);
  });

  it('doubts nine digits', () => {
    assert.deepEqual(found(usSsn, 'item 536228726'), [['536228726', 0.05]]);
  });

  it('refuses areas never issued', () => {
    assert.deepEqual(found(usSsn, '000-22-8726 666-22-8726 936-22-8726'), []);
  });

  it('refuses zero groups', () => {
    assert.deepEqual(found(usSsn, '536-00-8726 536-22-0000'), []);
  });

  it('refuses mixed separators', () => {
    assert.deepEqual(found(usSsn, '536-22.8726'), []);
  });

  it('refuses specimens', () => {
    assert.deepEqual(found(usSsn, '078-05-1120'), []);
  });
});
