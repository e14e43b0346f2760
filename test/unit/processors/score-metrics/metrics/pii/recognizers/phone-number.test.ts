import assert from 'node:assert/strict';
import fc from 'fast-check';
import { phoneNumber } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/phone-number.js';
import { found } from './found.js';

describe('the recognizer phoneNumber', () => {
  it('takes a national number', () => {
    assert.deepEqual(found(phoneNumber, 'dinner? (212) 736-5000'), [['(212) 736-5000', 0.4]]);
  });

  it('takes an international one', () => {
    assert.deepEqual(found(phoneNumber, '+44 20 7946 0958'), [['+44 20 7946 0958', 0.4]]);
  });

  it('takes a trunk prefix', () => {
    assert.deepEqual(found(phoneNumber, '030 901820'), [['030 901820', 0.4]]);
  });

  it('takes an extension', () => {
    assert.deepEqual(found(phoneNumber, 'call 212-736-5000 x12'), [['212-736-5000 x12', 0.75]]);
  });

  it('takes letters for digits', () => {
    assert.deepEqual(found(phoneNumber, 'call 1-800-356-HELP'), [['1-800-356-HELP', 0.75]]);
  });

  it('is more certain with a label after it', () => {
    assert.deepEqual(found(phoneNumber, '(64) 3591-3246 (mobile)'), [['(64) 3591-3246', 0.75]]);
  });

  it('doubts a foreign grouping without context', () => {
    assert.deepEqual(found(phoneNumber, 'a 72 128 827 b'), [['72 128 827', 0.2]]);
  });

  it('takes it with context', () => {
    assert.deepEqual(found(phoneNumber, 'my number is 72 128 827'), [['72 128 827', 0.55]]);
  });

  it("is not misled by another number's name", () => {
    assert.deepEqual(found(phoneNumber, 'order number 72 128 827'), [['72 128 827', 0.2]]);
  });

  it('refuses dates', () => {
    assert.deepEqual(found(phoneNumber, 'on 21.11.2026 or 2026-11-21, 12:30:45'), []);
  });

  it('refuses years', () => {
    assert.deepEqual(found(phoneNumber, '1990-1995 2001-2005'), []);
  });

  it('refuses amounts', () => {
    assert.deepEqual(found(phoneNumber, '$2127365000 or $2,127,365,000'), []);
  });

  it('doubts a list of pairs', () => {
    assert.deepEqual(found(phoneNumber, '01 02 03 04 05'), [['01 02 03 04 05', 0.2]]);
  });

  it('takes a number that a count, an age or a year follows', () => {
    for (const tail of [' 4 times', ' (3 lines)', '. 31 years old', ', 2 of them', ' 2027', '  7'])
      assert.deepEqual(found(phoneNumber, `Joe 212-736-5000${tail}`), [['212-736-5000', 0.4]], tail);
    assert.deepEqual(found(phoneNumber, 'ask +44 20 7946 0958 2 times'), [['+44 20 7946 0958', 0.4]]);
  });

  it('takes a number followed by a count by its form alone if no numbering plan has it', () => {
    assert.deepEqual(found(phoneNumber, 'call 555-555-0142 2 times'), [['555-555-0142', 0.65]]);
  });

  const written = fc.constantFrom(
    '212-736-5000',
    '212 736 5000',
    '(212) 736-5000',
    '020 7946 0958',
    '+44 20 7946 0958',
  );

  it('takes every number of a row', () => {
    const separator = fc.constantFrom(' ', '  ', ' / ', ', ', '. ', ' - ', '\n');
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), separator, (numbers, between) => {
        assert.deepEqual(
          phoneNumber
            .find(numbers.join(between))
            .map(({ start, end }) => numbers.join(between).slice(start, end)),
          numbers,
        );
      }),
    );
  });

  it('ends a number at its own end, whatever digits follow after a space', () => {
    fc.assert(
      fc.property(written, fc.stringMatching(/^[1-9]\d{0,2}$/), (number, tail) => {
        const [span] = phoneNumber.find(`${number} ${tail} more`);
        assert.equal(span?.end, number.length);
      }),
    );
  });

  it('takes no part of a longer serial number, or of an account number', () => {
    for (const text of ['212-736-5000-1', '0800 1111 2222 3333 4444', 'ES91 2100 0418 4502 0005 1339'])
      assert.deepEqual(found(phoneNumber, text), [], text);
  });

  it('refuses decimals', () => {
    assert.deepEqual(found(phoneNumber, '0.712776 0.005974'), []);
  });

  it('also reads "no" as an abbreviation', () => {
    assert.deepEqual(found(phoneNumber, 'no. 72 128 827'), [['72 128 827', 0.55]]);
  });
});
