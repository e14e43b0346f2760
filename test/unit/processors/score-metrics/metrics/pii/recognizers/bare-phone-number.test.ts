import assert from 'node:assert/strict';
import { barePhoneNumber } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/bare-phone-number.js';
import { found } from './found.js';

describe('the recognizer barePhoneNumber', () => {
  it('takes it with context', () => {
    assert.deepEqual(found(barePhoneNumber, 'fax: 9498777106'), [['9498777106', 0.55]]);
  });

  it('doubts it without', () => {
    assert.deepEqual(found(barePhoneNumber, 'id 1234567890 done'), [['1234567890', 0.2]]);
  });

  it('refuses a decimal', () => {
    assert.deepEqual(found(barePhoneNumber, 'call 3.14159265'), []);
  });

  it('refuses arguments', () => {
    assert.deepEqual(found(barePhoneNumber, 'call f(1234567, 2345678)'), []);
  });
});
