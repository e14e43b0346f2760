import assert from 'node:assert/strict';
import { usDriverLicense } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/us-driver-license.js';
import { found } from './found.js';

describe('the recognizer usDriverLicense', () => {
  it('takes letters and digits with context', () => {
    assert.deepEqual(found(usDriverLicense, 'her driver license is F2553459'), [['F2553459', 0.65]]);
  });

  it('takes hyphens', () => {
    assert.deepEqual(found(usDriverLicense, 'DL S514-7781-9903'), [['S514-7781-9903', 0.65]]);
  });

  it('takes digits with context', () => {
    assert.deepEqual(found(usDriverLicense, "driver's license no 83726451"), [['83726451', 0.4]]);
  });

  it('doubts digits without context', () => {
    assert.deepEqual(found(usDriverLicense, 'part F2553459'), [['F2553459', 0.3]]);
  });

  it('refuses short codes', () => {
    assert.deepEqual(found(usDriverLicense, 'h1, A14, v2'), []);
  });

  it('requires the licence to be named, as drivers and permits mean other things, too', () => {
    for (const text of ['the driver of the RX580', 'driving F2553459', 'it permits F2553459'])
      assert.deepEqual(
        found(usDriverLicense, text).map(([, score]) => score),
        [0.3],
        text,
      );
  });

  it('refuses round numbers', () => {
    assert.deepEqual(found(usDriverLicense, 'licenses: 200000'), []);
  });
});
