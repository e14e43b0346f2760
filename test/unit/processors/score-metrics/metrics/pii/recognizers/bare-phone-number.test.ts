import assert from 'node:assert/strict';
import { barePhoneNumber } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/bare-phone-number.js';
import { found } from './found.js';

describe('the recognizer barePhoneNumber', () => {
  it('takes a number with context', () => {
    assert.deepEqual(found(barePhoneNumber, 'fax: 9498777'), [['9498777', 0.55]]);
  });

  it('doubts a number without context', () => {
    assert.deepEqual(found(barePhoneNumber, 'id 1234567890 done'), [['1234567890', 0.2]]);
    assert.deepEqual(found(barePhoneNumber, 'id 9498777106 done'), [['9498777106', 0.2]]);
  });

  it('refuses a decimal', () => {
    assert.deepEqual(found(barePhoneNumber, 'call 3.14159265'), []);
  });

  it('refuses arguments', () => {
    assert.deepEqual(found(barePhoneNumber, 'call f(1234567, 2345678)'), []);
  });

  it('requires a noun for digits of no numbering plan, as a verb near them can mean a count', () => {
    for (const text of [
      'it was called 2718281 times',
      'the answer: 2718281',
      'we reached 2718281 homes',
      'ring 2718281',
    ])
      assert.deepEqual(found(barePhoneNumber, text), [['2718281', 0.2]], text);
    for (const text of ['my telephone 2718281', 'mobile: 2718281', 'cell 2718281'])
      assert.deepEqual(found(barePhoneNumber, text), [['2718281', 0.55]], text);
  });

  it('needs only a verb for a number of a numbering plan', () => {
    for (const number of ['2127365000', '12127365000', '02079460958', '9876543210'])
      assert.deepEqual(found(barePhoneNumber, `call ${number}`), [[number, 0.55]], number);
  });

  it('refuses round numbers', () => {
    assert.deepEqual(found(barePhoneNumber, 'mobile phones: 3000000'), []);
    assert.deepEqual(found(barePhoneNumber, 'phone 8007600000'), [['8007600000', 0.55]]);
  });
});
