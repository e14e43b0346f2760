import assert from 'node:assert/strict';
import { medicalLicense } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/medical-license.js';
import { found } from './found.js';

describe('the recognizer medicalLicense', () => {
  it('takes a registration', () => {
    assert.deepEqual(found(medicalLicense, 'DEA AB1234563'), [['AB1234563', 1]]);
  });

  it('refuses a wrong check digit', () => {
    assert.deepEqual(found(medicalLicense, 'DEA AB1234564'), []);
  });
});
