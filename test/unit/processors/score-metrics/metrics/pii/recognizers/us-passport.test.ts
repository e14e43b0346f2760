import assert from 'node:assert/strict';
import { usPassport } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/us-passport.js';
import { found } from './found.js';

describe('the recognizer usPassport', () => {
  it('takes a number with context', () => {
    assert.deepEqual(found(usPassport, 'passport no. 483920175'), [['483920175', 0.4]]);
  });

  it('takes the new form', () => {
    assert.deepEqual(found(usPassport, 'my passport C03005988'), [['C03005988', 0.45]]);
  });

  it('doubts a number without context', () => {
    assert.deepEqual(found(usPassport, 'give us 483920175'), [['483920175', 0.05]]);
  });

  it('takes travel words as context only if a letter shows that the digits are no count', () => {
    assert.deepEqual(found(usPassport, 'travel document C03005988'), [['C03005988', 0.45]]);
    assert.deepEqual(found(usPassport, 'it travels 483920175 miles'), [['483920175', 0.05]]);
  });

  it('refuses round numbers', () => {
    assert.deepEqual(found(usPassport, 'passports: 483900000'), []);
  });
});
